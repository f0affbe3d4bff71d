"""A substitute for Flax."""
