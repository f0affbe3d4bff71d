"""Import of weights that were trained elsewhere into a network: arrays replace the parameters that they name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.diagnostics import Code, Diagnostics, first_of, near_names, near_notes, refuse
from ...core.help_text import Phrase, option
from ...core.ir import pass_manager
from ...core.ir.context import NoptContext
from ...core.ir.operation import shape_of
from ...core.progress import doing
from ...dialects import nir
from ..compiling.legalized_networks import legalized_device
from ..compiling.target_pipelines import exact_steps
from ..json_record import Record, key
from ..modules import Network, default_diagnostics, reading, verify
from .chip_numbers import IMP034, ChipNumbers, differing_numbers, divided, numbers_of, replace_numbers
from .weight_files import Weights, read_weights

IMP025 = Code("IMP025", "weights-shape-mismatch", "weights do not fit the network")
IMP026 = Code("IMP026", "weights-node-unknown", "weights name an unknown parameter")
IMP027 = Code("IMP027", "weights-match-nothing", "no weight matches the network")
IMP028 = Code("IMP028", "weights-not-finite", "a weight is not finite")
IMP029 = Code("IMP029", "weights-not-real", "weights are not floating-point numbers")
IMP030 = Code("IMP030", "network-without-parameters", "the network is not in continuous time")

WEIGHTS = ("weight", "bias")
SYNAPSE_PARAMETERS = (*WEIGHTS, "scale")
"""Parameters of synapses that are numbers of the network; the others are sizes."""
NAMES_SHOWN = 8


@frozen
class WeightChange(Record):
    """One imported parameter."""

    node: str
    parameter: str
    shape: tuple[int, ...]
    dtype: str
    changed: int
    """Number of entries that differ from those of the network."""
    largest_change: float


@frozen
class ImportedWeights(Record):
    """A network with imported weights: the record `nopt.import_weights/1`."""

    SCHEMA = "nopt.import_weights/1"

    imported: tuple[WeightChange, ...]
    kept: tuple[str, ...]
    """Weights and biases of the network that the file does not have."""
    skipped: tuple[str, ...]
    """Entries of the file that were left out on request."""
    device: str | None
    """The device that the network is legalised for, with the imported numbers; None for a network in continuous time."""
    module: ModuleOp = field(metadata=key(None))


@frozen
class Parameter:
    """A parameter of a node: its op, its name, and the shapes that it may have."""

    op: nir.NodeOp
    path: str
    name: str

    @property
    def array(self) -> ArrayAttr:
        return next(array for name, array in self.op.parameters() if name == self.name)

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Returns the permitted shapes, that of the network first; a parameter of neurons and a scale may be a scalar."""
        if self.is_weight:
            return (self.array.shape,)
        return tuple(dict.fromkeys((self.array.shape, shape_of(self.op.x), ())))

    @property
    def is_weight(self) -> bool:
        return self.name in WEIGHTS


def import_weights(
    network: Network,
    weights: Weights,
    *,
    skip: Sequence[str] = (),
    diagnostics: Diagnostics | None = None,
) -> ImportedWeights:
    """Replaces parameters of a network by arrays with their names, and returns the network with a list of the changes.

        imported = nopt.import_weights("net.nir", "trained.npz")
        nopt.write(imported.module, "trained.nir")

    `weights` is a `.npz`, a folder of `.npy`, a `state_dict` of PyTorch (`.pt`), or a mapping. Names are `NODE.PARAMETER`: `fc.weight`, `fc.bias`,
    `lif.v_threshold`; nodes of nested graphs are `GRAPH.NODE`. `skip` are names, or patterns such as `*.beta`, of entries to leave out.
    Parameters without an entry keep their values. The arrays keep their number format. The network of the caller does not change.

    A legalised network, as `export_torch` writes it with its module, takes the numbers of the chip from the state dictionary of this module:
    `compile` keeps them.

    Errors: IMP031, IMP032, IMP033 the numbers of a chip; IMP034 (a warning) they are not used; IMP024 the file; IMP025 another shape; IMP026 an unknown node or parameter; IMP027 nothing matches; IMP028 NaN or infinity; IMP029 no
    floating-point numbers; IMP030 a network in ticks; those of reading and of the verifiers.
    """
    found = default_diagnostics(diagnostics)
    file = str(weights) if isinstance(weights, str | Path) else None
    with doing("reading weights"):
        arrays = read_weights(weights)
    skipped = tuple(name for name in arrays if any(fnmatchcase(name, pattern) for pattern in skip))
    arrays = {name: array for name, array in arrays.items() if name not in skipped}
    with reading(network, found) as given:
        module = given.clone()
        if (device := legalized_device(module)) is not None:
            before = {name: one.values for name, one in numbers_of(module)}
            replaced = replace_numbers(module, arrays, file)
            pass_manager.run_passes(exact_steps(device), NoptContext(diagnostics=found), module)
            changes = tuple(number_change(one, before[f"{one.node}.{one.parameter}"]) for one in replaced.values())
            verify(module)
            return ImportedWeights(changes, (), skipped, device.key, module)
        arrays, numbers = divided(arrays)
        if differing_numbers(arrays, numbers):
            warn_unused(found, file)
        parameters = {f"{one.path}.{one.name}": one for one in parameters_of(module)}
        changes = check_arrays(arrays, parameters, file)
        for name, array in arrays.items():
            parameters[name].op.properties[parameters[name].name] = ArrayAttr.of(array)
        verify(module)
    kept = tuple(name for name, one in parameters.items() if one.is_weight and name not in arrays)
    return ImportedWeights(changes, kept, skipped, None, module)


def warn_unused(diagnostics: Diagnostics, file: str | None) -> None:
    """Warns about the numbers of a chip for a network in continuous time. Warnings: IMP034."""
    diagnostics.warning(
        IMP034,
        file=file,
        expected="the network that nopt export wrote with the module",
        found="a network in continuous time, for which compile chooses scales and thresholds anew",
        help="nopt import-weights chip.mlir trained.pt -o trained.mlir",
    )


def parameters_of(module: ModuleOp) -> Iterator[Parameter]:
    """Yields the parameters of a network, nested graphs included. Errors: IMP030 it is not in continuous time."""
    graphs = [op for op in module.ops if isinstance(op, nir.GraphOp)]
    if not graphs:
        names = first_of(sorted({op.name for op in module.ops}), NAMES_SHOWN) or "an empty module"
        help = "import into the file that the network was made from, and convert it again"
        refuse(IMP030, expected="one nir.graph", found=names, help=help)
    for graph in graphs:
        yield from graph_parameters(graph, "")


def graph_parameters(graph: nir.GraphOp | nir.SubgraphOp, prefix: str) -> Iterator[Parameter]:
    for op in graph.body.block.ops:
        if isinstance(op, nir.SubgraphOp):
            yield from graph_parameters(op, f"{prefix}{op.node.data}.")
        elif isinstance(op, nir.SynapseOp):
            names = [name for name, _ in op.parameters() if name in SYNAPSE_PARAMETERS]
            yield from (Parameter(op, prefix + op.node.data, name) for name in names)
        elif isinstance(op, nir.PopulationOp):
            yield from (Parameter(op, prefix + op.node.data, name) for name, _ in op.parameters())


def check_arrays(
    arrays: Mapping[str, NDArray[Any]], parameters: Mapping[str, Parameter], file: str | None
) -> tuple[WeightChange, ...]:
    """Returns the changes, after all checks. Errors: IMP025, IMP026, IMP027, IMP028, IMP029; all are raised together."""
    if not any(name in parameters for name in arrays):
        refuse(
            IMP027,
            file=file,
            expected=f"names such as {first_of(list(parameters), NAMES_SHOWN)}"
            if parameters
            else "a network with parameters",
            found=first_of(list(arrays), NAMES_SHOWN) or "no array",
            help="numpy.savez('weights.npz', **{'NODE.weight': w})",
        )
    problems = Diagnostics()
    for name in arrays:
        if name in parameters:
            check_array(name, arrays[name], parameters[name], file, problems)
        else:
            report_unknown(name, parameters, file, problems)
    problems.raise_errors()
    return tuple(change_of(parameters[name], array) for name, array in arrays.items())


def report_unknown(name: str, parameters: Mapping[str, Parameter], file: str | None, problems: Diagnostics) -> None:
    """Adds an entry without a parameter, with the nearest names. Errors: IMP026."""
    node, _, parameter = name.rpartition(".")
    nodes = {one.path: one for one in parameters.values()}
    if node in nodes:
        message = f'{nodes[node].op.name} "{node}" has no parameter {parameter}'
        known = [one.name for one in parameters.values() if one.path == node]
        expected, notes = f"one of {', '.join(known)}", near_notes(parameter, known)
    else:
        message = f'the network has no node "{node}"' if node else f'"{name}" names no parameter'
        expected = f"NODE.PARAMETER, such as {first_of(near_names(name, parameters) or list(parameters), NAMES_SHOWN)}"
        notes = near_notes(node, nodes) if node else []
    problems.error(
        IMP026, message, file=file, expected=expected, found=name, notes=notes, help=Phrase(option("skip", name))
    )


def check_array(name: str, array: NDArray[Any], parameter: Parameter, file: str | None, problems: Diagnostics) -> None:
    """Adds the reason why an array cannot be a parameter. Errors: IMP025, IMP028, IMP029."""
    place = {"at": f'{parameter.op.name} "{parameter.path}"', "node": parameter.path, "file": file}
    if array.dtype.kind != "f":
        expected, help = "float16, float32 or float64", f"w['{name}'] = w['{name}'].astype('float32')"
        problems.error(
            IMP029,
            f"{name} is not an array of floating-point numbers",
            **place,
            expected=expected,
            found=str(array.dtype),
            help=help,
        )
    elif array.shape not in parameter.shapes:
        is_transposed = array.ndim > 1 and array.shape[::-1] in parameter.shapes
        problems.error(
            IMP025,
            f"{name} has the wrong shape",
            **place,
            expected=" or ".join(f"shape {list(shape)}" for shape in parameter.shapes),
            found=f"shape {list(array.shape)}",
            help=f"w['{name}'] = w['{name}'].T" if is_transposed else Phrase(option("skip", name)),
        )
    elif not np.isfinite(array).all():
        where = [int(index) for index in np.argwhere(~np.isfinite(array))[0]]
        problems.error(
            IMP028,
            f"{name} is not finite",
            **place,
            expected="finite numbers",
            found=f"{array[tuple(where)]} at index {where}",
            help="import a checkpoint from before the training diverged",
        )


def change_of(parameter: Parameter, array: NDArray[Any]) -> WeightChange:
    return difference(parameter.path, parameter.name, parameter.array.values, array)


def number_change(one: ChipNumbers, before: AnyArray) -> WeightChange:
    return difference(one.node, one.parameter, before, one.values)


def difference(node: str, name: str, before: AnyArray, after: NDArray[Any]) -> WeightChange:
    some, others = np.broadcast_arrays(before.astype(np.float64), after.astype(np.float64))
    change = np.abs(others - some)
    largest = float(change.max(initial=0.0))
    return WeightChange(node, name, after.shape, str(after.dtype), int(np.count_nonzero(change)), largest)
