"""Cost of execution in a device file: its records, and their consistency."""
