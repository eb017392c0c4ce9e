"""Tests that need an NVIDIA GPU: `make test-gpu`. They use pytest and what the package needs with a GPU, not more."""
