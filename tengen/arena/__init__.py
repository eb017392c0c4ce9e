"""Matches and tournaments between any players: playing games, storing them, and statistics."""
