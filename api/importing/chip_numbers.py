"""Numbers of a chip that a training changed: the entries `on_chip:NODE.PARAMETER` of a state dictionary replace those of a legalised network.

`nopt export --torch` writes the network with the module. The module and the network have the digest of the same arrays, so that numbers of another
export, with other scales, are refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr
from xdsl.ir import Operation

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.diagnostics import Code, Diagnostics, first_of, refuse
from ...core.help_text import Phrase, option
from ...core.ir.operation import element_type, shape_of
from ...dialects import ntensor
from ...dialects.ntensor import SynapseOpInterface, interval_of
from ..compiling.legalized_networks import LEGALIZED
from ..exporting.torch_module import DIGEST_NAME, NUMBER_PREFIX
from ..modules import only_network

IMP031 = Code("IMP031", "weights-without-chip-numbers", "the weights have no numbers of the chip")
IMP032 = Code("IMP032", "chip-numbers-of-other-export", "the numbers are those of another exported module")
IMP033 = Code("IMP033", "chip-number-not-storable", "the chip cannot store a number")
IMP034 = Code("IMP034", "chip-numbers-not-used", "the numbers of the chip are not used")

SAVE = "torch.save(net.state_dict(), 'trained.pt')"
NAMES_SHOWN = 8
NEARLY = 1e-6
"""Relative difference of a real and the same real in 32 bits."""


@frozen
class ChipNumbers:
    """An array of a legalised network: weights, biases, or a parameter of neurons."""

    op: Operation
    node: str
    parameter: str

    @property
    def array(self) -> ArrayAttr:
        found = self.op.params.data[self.parameter] if isinstance(self.op, ntensor.NeuronOp) else None
        found = self.op.properties[self.parameter] if found is None else found
        assert isinstance(found, ArrayAttr)  # it is listed
        return found

    @property
    def values(self) -> AnyArray:
        """The numbers that the chip computes with, as the module has them."""
        if isinstance(self.op, SynapseOpInterface) and self.parameter == self.op.WEIGHTS:
            return self.op.weight_values().values if self.is_scaled else self.op.weight_steps().values
        return self.array.values

    @property
    def is_scaled(self) -> bool:
        """Whether the op computes with reals that are integers times a scale."""
        op = self.op
        is_weight = isinstance(op, SynapseOpInterface) and self.parameter == op.WEIGHTS
        return is_weight and op.quantized_weights is not None and interval_of(element_type(op.y)) is None

    def stored(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """Returns the numbers as the network stores them, in f64."""
        found, op = numbers.astype(np.float64), self.op
        if isinstance(op, SynapseOpInterface) and self.parameter == op.WEIGHTS and op.quantized_weights is not None:
            given = op.quantized_weights
            found = found / given.scale.values.astype(np.float64) if self.is_scaled else found
            found = np.rint(found) if self.is_scaled else found
            found = found + given.zero.values.astype(np.float64)
        return found

    def replace(self, stored: NDArray[Any]) -> None:
        before = self.array
        made = stored.astype(before.data.dtype)
        if before.shape != made.shape:  # one parameter of all neurons
            flat = made.reshape(-1)
            made = flat[0].reshape(before.shape) if before.data.size == 1 and (flat == flat[0]).all() else made
        if isinstance(self.op, ntensor.NeuronOp):
            self.op.params = DictionaryAttr({**self.op.params.data, self.parameter: ArrayAttr.of(made)})
        else:
            self.op.properties[self.parameter] = ArrayAttr.of(made)


def divided(arrays: Mapping[str, NDArray[Any]]) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
    """Returns the parameters of a state dictionary, and the numbers of the chip without their prefix."""
    parameters = {name: array for name, array in arrays.items() if not name.startswith(NUMBER_PREFIX)}
    numbers = {
        name.removeprefix(NUMBER_PREFIX): array
        for name, array in arrays.items()
        if name.startswith(NUMBER_PREFIX) and name != DIGEST_NAME
    }
    return parameters, numbers


def differing_numbers(parameters: Mapping[str, NDArray[Any]], numbers: Mapping[str, NDArray[Any]]) -> list[str]:
    """Returns the numbers of a chip that are not the parameters themselves, as those of a device of reals are."""
    return [
        name
        for name, array in numbers.items()
        if name not in parameters
        or parameters[name].shape != array.shape
        or not np.allclose(array, parameters[name], NEARLY, 0.0)
    ]


def numbers_of(module: ModuleOp) -> Iterator[tuple[str, ChipNumbers]]:
    """Yields the arrays of a legalised network, by `NODE.PARAMETER`."""
    for op in only_network(module).body.block.ops:
        if isinstance(op, SynapseOpInterface) and op.WEIGHTS is not None:
            names = [op.WEIGHTS, *(["bias"] if op.optional_array("bias") is not None else [])]
        elif isinstance(op, ntensor.NeuronOp):
            names = [name for name, value in op.params.data.items() if isinstance(value, ArrayAttr)]
        else:
            continue
        yield from ((f"{op.node.data}.{name}", ChipNumbers(op, op.node.data, name)) for name in names)


def replace_numbers(module: ModuleOp, arrays: Mapping[str, NDArray[Any]], file: str | None) -> dict[str, ChipNumbers]:
    """Replaces numbers of a legalised network by those of a state dictionary, and returns the replaced ones by name.

    Errors: IMP031 there are none; IMP032 they are those of another export; IMP033 a number that is not stored.
    """
    _, numbers = divided(arrays)
    if not numbers:
        found = first_of(list(arrays), NAMES_SHOWN) or "no array"
        refuse(IMP031, file=file, expected=f"entries {NUMBER_PREFIX}NODE.PARAMETER", found=found, help=SAVE)
    digest, known = arrays.get(DIGEST_NAME), dict(numbers_of(module))
    wanted = only_network(module).attributes[LEGALIZED]
    given = "no digest" if digest is None or digest.dtype != np.uint8 else digest.tobytes().hex()
    fits = all(
        name in known and array.shape in shapes_of(known[name]) and array.dtype.kind in "biuf"
        for name, array in numbers.items()
    )
    if not isinstance(wanted, StringAttr) or given != wanted.data or not fits:
        expected = wanted.data if isinstance(wanted, StringAttr) else "a network of nopt export"
        help = "import into the .mlir that nopt export wrote with the module of the training"
        refuse(IMP032, file=file, expected=f"arrays {expected}", found=f"arrays {given}", help=help)
    problems = Diagnostics()
    for name, array in numbers.items():
        one = known[name]
        stored = one.stored(array)
        if (odd := unstorable(stored, one.array.data.dtype)) is None:
            one.replace(stored)
            continue
        expected = f"numbers of {one.array.data.dtype}"
        help = Phrase(option("skip", f"{NUMBER_PREFIX}{name}"))
        problems.error(
            IMP033,
            at=f"{NUMBER_PREFIX}{name}",
            node=one.node,
            file=file,
            expected=expected,
            found=f"{odd:g}",
            help=help,
        )
    problems.raise_errors()
    return {name: known[name] for name in numbers}


def shapes_of(one: ChipNumbers) -> tuple[tuple[int, ...], ...]:
    """Returns the shapes that an entry may have: that of the array, and of the population for a parameter of neurons."""
    if isinstance(one.op, ntensor.NeuronOp):
        return one.array.shape, shape_of(one.op.z)
    return (one.array.shape,)


def unstorable(stored: NDArray[Any], dtype: np.dtype[Any]) -> float | None:
    """Returns a number that a type does not hold; None if it holds all."""
    wrong = ~np.isfinite(stored)
    if dtype.kind in "iu":
        ends = np.iinfo(dtype)
        wrong |= (stored != np.rint(stored)) | (stored < ends.min) | (stored > ends.max)
    return float(stored[wrong].flat[0]) if wrong.any() else None
