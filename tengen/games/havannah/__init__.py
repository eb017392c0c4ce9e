"""Havannah: havannah_board and havannah_bitboard (kernels), game (the class `Havannah`)."""
