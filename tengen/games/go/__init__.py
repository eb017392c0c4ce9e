"""Go: go_board and other kernels, game (the class `Go`), sgf (game records)."""
