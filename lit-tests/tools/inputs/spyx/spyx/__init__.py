"""A substitute for Spyx."""
