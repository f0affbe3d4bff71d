"""The `nopt` command on a machine whose device refuses the numbers of all epochs, as one does whose sums are too narrow.

python refused_numbers.py tune net.nir …
"""

import sys

import nopt.api.tuning.training as training
from nopt import Code, Finding
from nopt.api.compiling.device_fit import Fit
from nopt.tools.main import main

SUM = Finding(Code("TST001", "sum-too-wide", "a sum is too wide"), "a sum is too wide", found="9 bits")
training.fit = lambda module, device: Fit(device.target, device.key, fits="no", findings=(SUM,))
sys.exit(main())
