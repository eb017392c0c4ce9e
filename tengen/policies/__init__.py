"""Playout policies and priors: the moves of playouts, and the initial values of new nodes."""
