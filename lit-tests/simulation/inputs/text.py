"""Makes a signal of text, in Python."""

import numpy as np

from nopt.core.diagnostics import Refused
from nopt.simulation.signals import DenseSignal

try:
    DenseSignal(np.array([["spike"]]))
except Refused as refusal:
    print(refusal)
