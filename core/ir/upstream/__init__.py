"""Dialects of xDSL with ops that read what they print: a module for each, with the dialect in capitals. A module is removed when xDSL needs it no longer."""
