"""What a network costs on a device: energy, time and power of a tick and of a sample."""
