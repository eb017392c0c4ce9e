"""Othello: othello_board (kernels), game (the class `Othello`)."""
