"""Supported PyTorch frameworks, one file for each."""
