"""Havannah: havannah_board (kernels), game (the class `Havannah`)."""
