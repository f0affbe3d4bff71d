"""Reads the files of `emitter.py` back into a `spinnaker2.chip`, by the codec of nopt's own formats.

Errors: CHI023 a file that is missing or has another content than the emitter writes; those of the verifier of `spinnaker2.chip`.
"""

from ...dialects.chip_base.codec import loader_of
from ...dialects.spinnaker2 import ChipOp

load = loader_of(ChipOp)
