"""Havannah: board (kernels), game (rules for people)."""
