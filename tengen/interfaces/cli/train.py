"""`tengen train`: learn weights of local shapes or urgencies of patterns by self-play; one file per target."""

HELP = """Learn weights of local shapes (rlgo) or urgencies of patterns (urgencies) by self-play.

Both are written to a file with checkpoints; the same command continues an interrupted training.
"""
SUBCOMMANDS = ("rlgo", "urgencies")
"""The commands of this group: the files train_NAME.py."""
