"""Reads the files of `emitter.py` back into a `dynapse.chip`, by the codec of nopt's own formats.

Errors: CHI023 a file that is missing or has another content than the emitter writes; those of the verifier of `dynapse.chip`.
"""

from ...dialects.chip_base.codec import loader_of
from ...dialects.dynapse import ChipOp

load = loader_of(ChipOp)
