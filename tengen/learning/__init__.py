"""Learning by self-play. td: temporal differences; selfplay: games to learn from; training: the loop and its files."""
