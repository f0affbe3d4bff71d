"""Networks of Spyx, modules of Flax NNX that run in JAX."""
