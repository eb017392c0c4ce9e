"""What the experiments measure besides games: errors of playouts, speeds, entropies, sizes of trees."""
