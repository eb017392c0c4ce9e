"""Othello: board (kernels), game (rules for people)."""
