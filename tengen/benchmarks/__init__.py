"""What `tengen bench` measures, what `tengen warmup` compiles, and how peers are driven beside it."""
