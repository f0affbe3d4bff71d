"""Costs of a network on a device: energy, time and power of a tick and of a sample."""
