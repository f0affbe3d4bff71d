"""Times and memory of a network on the engines of this machine, and on an emulated microcontroller."""
