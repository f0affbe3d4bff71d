"""Mock of rockpool for tests of scripts: the function that makes a configuration of samna from a specification."""
