"""Who plays the moves of a playout. playout: the verb; uniform: every sensible move equally likely."""
