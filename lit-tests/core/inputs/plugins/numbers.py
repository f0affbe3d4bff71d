"""No target."""

TARGET = "chip"
