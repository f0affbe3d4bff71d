"""Runs nopt in a process whose files have at most 4096 bytes, as on a full disk: ARGUMENTS of nopt."""

import resource
import sys

from nopt.tools.main import main

resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
sys.exit(main())
