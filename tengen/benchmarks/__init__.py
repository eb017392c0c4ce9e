"""The work that `tengen bench` measures, also in peers, and that `tengen warmup` compiles."""
