"""External engines as players: processes, and the controller's side of the Go Text Protocol (GTP)."""
