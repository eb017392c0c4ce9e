"""Learning by playing. td: temporal differences; selfplay: games to learn from; training: for people, with files."""
