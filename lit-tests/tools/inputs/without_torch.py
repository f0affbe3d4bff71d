"""The `nopt` command on a machine without PyTorch.

python without_torch.py tune net.nir …
"""

import sys

from nopt.tools.main import main

sys.modules["torch"] = None  # no specification is found, and an import fails
sys.exit(main())
