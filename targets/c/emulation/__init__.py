"""Compiled networks on emulated microcontrollers."""
