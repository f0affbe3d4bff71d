"""Reads the files of `emitter.py` back into a `loihi2.chip`, by the codec of nopt's own formats.

Errors: CHI023 a file that is missing or has another content than the emitter writes; those of the verifier of `loihi2.chip`.
"""

from ...dialects.chip_base.codec import loader_of
from ...dialects.loihi2 import ChipOp

load = loader_of(ChipOp)
