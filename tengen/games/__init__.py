"""The rules of games. interface: the verbs that each game implements; game: the Python layer, `Game` and `Position`."""
