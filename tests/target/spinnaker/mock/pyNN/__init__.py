"""Mock of sPyNNaker for tests of scripts: the calls of PyNN that they use, and the equations of the neurons in s16.15."""
