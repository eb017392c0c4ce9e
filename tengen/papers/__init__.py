"""The tables and figures of the papers as experiments: players, boards, opponents, games and published numbers."""
