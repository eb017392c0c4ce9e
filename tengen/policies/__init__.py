"""Who plays the moves of a playout, and what new nodes of a tree believe of theirs."""
