"""The command `python -m nopt`, which is `nopt`."""

from __future__ import annotations

import sys
from importlib import import_module

sys.exit(import_module(".tools.main", __package__).main())
