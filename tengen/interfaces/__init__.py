"""Ways in: the command line now; protocols and pages as they come."""
