"""`tengen train`: learn weights of local shapes, urgencies of patterns, or gammas of features; one file per target."""

HELP = """Learn weights of local shapes (rlgo) or urgencies of patterns (urgencies) by self-play, or the strengths of
features of moves, from records of games (gammas) or by simulation balancing (balance).

All are written to a file with checkpoints; the same command continues an interrupted training.
"""
SUBCOMMANDS = ("rlgo", "urgencies", "gammas", "balance")
"""The commands of this group: the files train_NAME.py."""
