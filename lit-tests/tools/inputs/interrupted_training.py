"""The `nopt` command with Ctrl-C in the second epoch of a training.

python interrupted_training.py tune net.nir …
"""

import sys

from nopt.api.tuning.training import Training
from nopt.tools.main import main

train_epoch, epochs = Training.train_epoch, []


def interrupted(training, *given):
    epochs.append(train_epoch(training, *given))
    if len(epochs) == 2:
        raise KeyboardInterrupt
    return epochs[-1]


Training.train_epoch = interrupted
sys.exit(main())
