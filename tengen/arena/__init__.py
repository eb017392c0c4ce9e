"""Matches and tournaments between any players: games, their store, and what can be said from them."""
