"""Work on the workers of a cluster: points of sweeps, and batches of samples."""
