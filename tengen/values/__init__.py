"""What positions are worth. windows: local shape features; shapes: their kernels; weights: learnt values in files."""
