"""Mock of py-spinnaker2 for tests of scripts: the calls that its published examples use, and the published equations."""
