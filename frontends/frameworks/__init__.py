"""Frameworks of PyTorch whose networks can be imported: one file each."""
