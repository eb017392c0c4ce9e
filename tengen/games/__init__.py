"""The rules of games. interface: the verbs each game implements; game: the friendly layer, `Game` and `Position`."""
