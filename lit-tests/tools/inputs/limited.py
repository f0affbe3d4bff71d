"""Runs `nopt` with a limit on the size of files, as a full disk has: python limited.py BYTES ARGUMENT…"""

import resource
import sys

from nopt.tools.main import main

resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
sys.exit(main(sys.argv[2:]))
