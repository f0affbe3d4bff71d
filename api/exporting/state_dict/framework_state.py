"""A network of a framework whose state dictionary takes weights, and the parameters of NIR that it becomes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ....core.arrays.numeric import AnyArray
from ....core.diagnostics import Code, Diagnostics, refuse
from ....frontends.frameworks.exported import Exported
from ....frontends.frameworks.foreign import Foreign
from ....frontends.frameworks.identity_norms import set_identity_norms
from ....frontends.frameworks.importer import IMP016, export_network, find_framework
from ....frontends.frameworks.layouts import IMP013
from ....frontends.frameworks.layouts import Network as FrameworkNetwork
from ....frontends.frameworks.spyx.framework import Spyx
from ...importing.import_network import settle_numbers
from ...importing.import_weights import parameters_of
from ...modules import from_nir

PYT009 = Code("PYT009", "weights-of-other-network", "the network is not the one that the framework's network becomes")


class FrameworkState:
    """A network of a framework whose state dictionary takes weights."""

    def __init__(self, module: Any, at: str, inputs: dict[str, tuple[int, ...]], dt: float | None):
        self.at, self.dt = at, dt
        self.shape: Any = inputs if len(inputs) > 1 else next(iter(inputs.values()))
        self.inputs = inputs
        self.framework = find_framework(module, at)
        if isinstance(self.framework, Spyx):
            refuse(
                IMP016,
                at=at,
                expected="a torch.nn.Module, which has a state dictionary",
                found=f"{type(module).__name__} of Spyx",
                help="read the arrays of the network with the nir package, from the file that nopt FILE -o net.nir writes",
            )
        self.network = FrameworkNetwork(self.framework.copy(module), self.framework, at)
        self.original = cloned(module.state_dict())

    def set_identities(self) -> list[str]:
        with Foreign(
            IMP013, f"the network fails in {self.framework.title}", self.at, "inputs of the shapes of the network"
        ):
            return set_identity_norms(self.network, self.inputs)

    def state(self) -> dict[str, Any]:
        return cloned(self.network.module.state_dict())

    def export(self, state: Mapping[str, Any], diagnostics: Diagnostics) -> Exported:
        """Exports the network with another state dictionary."""
        module = self.framework.copy(self.network.module)
        with Foreign(
            PYT009, "the network does not take its own state dictionary", self.at, "entries of the same names"
        ):
            module.load_state_dict(state)
        return export_network(module, at=self.at, shape=self.shape, dt=self.dt, diagnostics=diagnostics)

    def raw_parameters(self, state: Mapping[str, Any]) -> dict[str, AnyArray]:
        """Returns the parameters of the exported graph, before its numbers are repaired."""
        return arrays_of(from_nir(self.export(state, Diagnostics()).graph, diagnostics=Diagnostics()))

    def parameters(self) -> dict[str, AnyArray]:
        return self.raw_parameters(self.state())

    def repaired(self) -> dict[str, AnyArray]:
        return arrays_of(repaired_module(self.export(self.state(), Diagnostics())))


def cloned(state: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tensor.detach().clone() for name, tensor in state.items()}


def repaired_module(exported: Exported) -> ModuleOp:
    return settle_numbers(exported, {"like": None, "reset": None, "options": None}, Diagnostics())[0]


def arrays_of(module: ModuleOp) -> dict[str, AnyArray]:
    """Returns the parameters of a network in continuous time, `NODE.PARAMETER`. Errors: IMP030."""
    return {f"{one.path}.{one.name}": one.array.values for one in parameters_of(module)}
