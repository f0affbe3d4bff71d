"""Subject of a conformance run: a device with its target, and the networks that are compiled for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from attrs import evolve, frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...core import registry
from ...core.approximations import APPROXIMATIONS
from ...core.device import device as devices
from ...core.device.device import Device
from ...core.device.device_attr import DEVICE
from ...core.device.features import widest_reals
from ...core.device.named_device import name_device
from ...core.diagnostics import Code, Diagnostics, Finding, refuse
from ...core.ir import pass_manager, pipeline, source
from ...core.ir.context import NoptContext
from ...core.target import Artefact, HardwareTarget
from ...dialects import ntensor
from ...passes.pipelines import observe
from ...simulation.host.hosted_model import chip_model
from ...simulation.host.readout_files import load_artefact, write_artefact
from ..compiling.device_fit import Fit, fit
from ..compiling.fidelity import disagreement
from ..modules import available_passes, only_network
from ..options import Choices
from ..permissions.permitted_fit import Outcome, PermittedFit
from ..running.run import execute
from .networks import COUNTED, FAMILIES, LAYER_RULE, LAYERED, RULE, Drawn, generate, run_network

CNF005 = Code("CNF005", "no-generated-network-fits", "no generated network fits")

REASONS = 3
"""Maximum number of distinct refusals in a message."""
MORE = 20
"""Maximum number of additional generated networks if none fits."""
REMEDIES = 3
"""Maximum number of consecutive refusals of a network whose help is followed."""


@frozen
class Answer:
    """One case of a question, and its result if that is not the expected one."""

    case: str
    expected: str = ""
    found: str | None = None
    """None: the result is the expected one."""


@frozen(eq=False)
class Compiled:
    """A network that was compiled for a device, or refused."""

    drawn: Drawn
    device: Device
    fit: Fit
    module: ModuleOp
    """The exit dialect, if the network fits."""

    @property
    def network(self) -> ModuleOp:
        """Returns the network in ticks that the target runs."""
        return self.fit.network or self.drawn.module

    @property
    def approximations(self) -> Sequence[ntensor.ApproximationAttr]:
        return [*(only_network(self.network).approximations or ())]

    @property
    def errors(self) -> list[Finding]:
        return self.fit.errors

    @property
    def refusal(self) -> str:
        """Describes the refusals in one line."""
        return "; ".join(f"refused by {describe_refusal(one)}" for one in self.errors)

    @property
    def latency(self) -> int:
        """Returns the latency of the output [ticks]."""
        return max(self.fit.latency_ticks.values(), default=0)


class Subject:
    """A tested device, with the networks of its questions.

    Options: networks: number of generated networks. seed: the seed of the first one. permitted: names of the approximations that they may need.
    """

    def __init__(self, device: Device, networks: int, seed: int, permitted: Sequence[str] = tuple(APPROXIMATIONS)):
        self.device, self.networks, self.seed, self.permitted = device, networks, seed, permitted
        self.target: HardwareTarget = registry.targets()[device.target]()

    @cached_property
    def is_layered(self) -> bool:
        """Whether the device supports only count-based layers, to which spiking networks are converted by their rates."""
        updates = self.device.neuron.updates.values() if self.device.neuron is not None else ()
        known = {family for update in updates for family in update.families}
        return COUNTED in known and known.isdisjoint(FAMILIES)

    @property
    def rule(self) -> Choices:
        """Conversion choices for fixed networks, which are not generated."""
        rule = LAYER_RULE if self.is_layered else RULE
        return {**rule, "precision": self.precision}

    @property
    def known_families(self) -> tuple[str, ...]:
        """Returns the families that the updates of the device declare, in its order."""
        updates = self.device.neuron.updates.values() if self.device.neuron is not None else ()
        return tuple(dict.fromkeys(family for update in updates for family in update.families))

    @property
    def family(self) -> str:
        """Returns the family of networks that are not generated: the first one that the device declares."""
        return next((family for family in self.known_families if family in self.families), self.families[0])

    @cached_property
    def families(self) -> list[str]:
        """Returns the neuron families that the device supports; all families if it does not limit them. Errors: CNF005 it supports only others."""
        known = self.known_families
        found = [family for family in FAMILIES if family in known or not known]
        if self.is_layered:
            found = [*LAYERED]
        if not found:
            expected, given = f"neurons of {', '.join(FAMILIES)}", ", ".join(sorted(known))
            refuse(CNF005, at=self.device.naming.key, expected=expected, found=given, help="nopt device check")
        return found

    @cached_property
    def generated(self) -> list[Compiled]:
        """Returns the generated networks, each after the help of its refusals. If none fits, more are generated until one does."""
        found: list[Compiled] = []
        for number in range(self.networks + MORE):
            if number >= self.networks and any(one.fit.is_fitting for one in found):
                break
            if (drawn := self.draw(self.seed + number)) is not None:
                found.append(self.follow(drawn))
        return found

    def draw(self, seed: int) -> Drawn | None:
        """Returns the network of a seed; None if the seed yields none with active populations."""
        return generate(
            seed,
            self.families,
            is_layered=self.is_layered,
            has_delays=self.has_delays,
            precision=self.precision,
        )

    @property
    def precision(self) -> Literal["f32", "f64"]:
        """Returns the type of reals of the networks: f32 for a device that declares that it has no other."""
        return widest_reals(self.device)

    @property
    def has_delays(self) -> bool:
        return self.device.integer("synapse.delay.max") != 0

    @cached_property
    def fitting(self) -> list[Compiled]:
        return [one for one in self.generated if one.fit.is_fitting]

    def asked(self, most: int | None = None) -> list[Compiled]:
        """Returns the generated networks that fit, at most `most` of them. Errors: CNF005 none fits."""
        if not self.fitting:
            reasons = dict.fromkeys(describe_refusal(error) for one in self.generated for error in one.errors)
            refuse(
                CNF005,
                at=f"{self.networks + MORE} generated networks from seed {self.seed}",
                expected="a network that fits",
                found=f"refused by {'; '.join([*reasons][:REASONS])}" if reasons else "none with active populations",
            )
        return self.fitting[:most]

    def settings(self, *settings: str) -> Device:
        """Returns the device with fields overridden. Errors: those of `--set`."""
        return devices.override_fields(self.device, settings)

    def compile(self, drawn: Drawn, device: Device | None = None) -> Compiled:
        """Compiles a network for the device, or for a variant of it, up to the first refusal."""
        module, chosen = drawn.module.clone(), device or self.device
        observe(module, chosen, drawn.x, Diagnostics())
        return Compiled(drawn, chosen, fit(module, chosen, repairs=drawn.repairs), module)

    def follow(
        self, drawn: Drawn, is_wanted: Callable[[Finding], bool] = lambda finding: False, device: Device | None = None
    ) -> Compiled:
        """Compiles a network. After a refusal, compiles it again with the passes in the help, unless `is_wanted` holds for the refusal."""
        best = self.search(drawn, is_wanted, device)
        network = best.network or drawn.module
        found = evolve(drawn, module=network, repairs=best.trial.repairs)
        return Compiled(found, device or self.device, best.fit, best.module or network)

    def search(
        self, drawn: Drawn, is_wanted: Callable[[Finding], bool] = lambda finding: False, device: Device | None = None
    ) -> Outcome:
        """Returns the fit of a network with the passes in the help of its refusals."""
        chosen = device or self.device

        def prepare(passes: Sequence[str]) -> ModuleOp:
            module, context = drawn.module.clone(), NoptContext(diagnostics=Diagnostics())
            pass_manager.run_passes(pipeline.parse_pipeline(",".join(passes), available_passes()), context, module)
            observe(module, chosen, drawn.x, Diagnostics())
            return module

        def is_end(fitted: Fit) -> bool:
            return any(map(is_wanted, fitted.errors))

        return PermittedFit(chosen, prepare, self.permitted, fits_left=REMEDIES, is_end=is_end).best(())

    def artefact(self, compiled: Compiled) -> Artefact:
        """Returns the artefact of a network that fits."""
        assert self.target.artefact is not None  # a target with an exit
        return write_artefact(self.target.artefact(), compiled.module, compiled.device, Diagnostics())

    def load(self, files: Mapping[str, bytes]) -> ModuleOp:
        """Returns the compiled network that the target's loader reads from the files of an artefact."""
        assert self.target.load is not None  # asked before
        return load_artefact(self.target.load(), files, Diagnostics())

    def files(self, compiled: Compiled) -> dict[str, bytes]:
        """Returns the contents of the files of an artefact by their paths."""
        files = self.artefact(compiled).files
        return {path: data if isinstance(data, bytes) else b"".join(data) for path, data in files.items()}

    def run(
        self, compiled: Compiled, record: Sequence[str] = (), module: ModuleOp | None = None, x: Any = None
    ) -> dict[str, NDArray[Any]]:
        """Returns the outputs and records of the target's model, for the exit dialect or another module of it."""
        assert self.target.model is not None  # a target with an exit
        chip = chip_model(self.target.model(), module or compiled.module, compiled.device)
        given = compiled.drawn.x if x is None else x
        return execute(compiled.network, given, record=record, chip=chip, diagnostics=Diagnostics()).arrays

    def difference(self, compiled: Compiled, got: Mapping[str, NDArray[Any]], record: Sequence[str] = ()) -> str | None:
        """Describes the differences between a model and the network beyond the declared fidelity; None if the results agree."""
        wanted = run_network(compiled.network, compiled.drawn.x, record)
        differing = [name for name, values in wanted.items() if disagreement(self.device, name, values, got[name])]
        return f"another result of {', '.join(differing)}" if differing else None

    def verify_on(self, compiled: Compiled, device: Device) -> list[Finding]:
        """Verifies the exit dialect on another device, and returns the refusals."""
        module = compiled.module.clone()
        for op in module.walk():
            if DEVICE in op.attributes:
                name_device(op, device)
        return list(source.verify(module))


def describe_refusal(finding: Finding) -> str:
    """Returns the code and the message of a refusal, with its file if it has one."""
    return f"{finding.code}: {finding.message}" + (f" ({finding.file})" if finding.file else "")


def records_of(module: ModuleOp) -> list[str]:
    """Returns every population of a network and its states."""
    network = only_network(module)
    updates = ntensor.updates_of(network)
    return [name for op in network.populations for name in populated(op, updates[op.update_name])]


def populated(op: ntensor.NeuronOp, update: ntensor.UpdateOp) -> Iterator[str]:
    yield op.node.data
    yield from (f"{op.node.data}.{name.data}" for name in update.states)
