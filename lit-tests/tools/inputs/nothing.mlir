// Not a network.
