"""Other programs that play: the Go Text Protocol from the controller's side, and engines as players."""
