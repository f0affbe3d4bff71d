"""Mock of a package of rockpool."""
