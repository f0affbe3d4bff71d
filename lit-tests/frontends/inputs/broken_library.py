"""Runs nopt with an HDF5 library that ends its process, or comes to no end, as it does with some damaged files.

python broken_library.py segfault|forever|memory ARGUMENTS
"""

import os
import signal
import sys

from nopt.frontends.hdf5 import survey
from nopt.tools.main import main


def segfault(file, found):
    os.kill(os.getpid(), signal.SIGSEGV)


def forever(file, found):
    while True:
        pass


def memory(file, found):
    return bytearray(8 * found.limits.bytes)


survey.walk = {"segfault": segfault, "forever": forever, "memory": memory}[sys.argv.pop(1)]
sys.exit(main())
