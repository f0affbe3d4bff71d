"""Mock of xylosim for tests of scripts: the class of a layer, and the equations of the chip with integers, event by event."""
