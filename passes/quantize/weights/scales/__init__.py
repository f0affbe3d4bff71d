"""Scales of weights: candidates for a grid, classes of scales, and the least scales that states permit."""
