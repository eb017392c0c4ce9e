"""Go: board (kernels), game (rules for people), sgf (game records)."""
