"""Conformance of every device in the tree, and a mutant for each question: a target that is broken in one way, on which the question fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from extent import times
from xdsl.dialects.builtin import ModuleOp

from nopt.api.capability.matrix import CONFORMANCE, capabilities
from nopt.api.conformance.conform import QUESTIONS, conform
from nopt.api.conformance.learning import WINDOW_RULES
from nopt.api.conformance.networks import ACTIVE, RESETS, generate, run_network
from nopt.api.conformance.subject import Subject
from nopt.core import registry
from nopt.core.device.device import Device, find_device
from nopt.core.device.records import Naming
from nopt.core.diagnostics import Diagnostics
from nopt.core.target import Artefact, HardwareTarget
from nopt.dialects.asic import cores as asic_ops

TARGETS = [
    slug for slug, one in registry.usable_targets().items() if one.artefact is not None and one.model is not None
]
DEVICES = [f"{slug}/{name}" for slug in TARGETS for name in registry.devices()[slug]]
MANY, FEW, LEAST = times(4), times(2), times(1)
STARTS = 8
"""Seeds one of which is the first of MANY networks with every part."""
DRAWN = times(20)
"""Networks whose variety is checked."""
PROSE = {"note", "source", "confidence", "text", "sources", "summary", "name", "cost"}


def structure(value: Any, at: str = "") -> Iterator[str]:
    """Yields the path of each fact of a device file, without its value."""
    if isinstance(value, Mapping) and "value" not in value:
        for name, one in value.items():
            yield from structure(one, f"{at}.{name}") if name not in PROSE else ()
    else:
        yield at


def cores_of_a_kind() -> Mapping[tuple[str, frozenset[str]], str]:
    """Returns the first device with cores of each structure; the others of that structure differ in values alone."""
    found: dict[tuple[str, frozenset[str]], str] = {}
    for key in DEVICES:
        if device(key).topology is not None:
            found.setdefault((device(key).target, frozenset(structure(device(key).as_json()))), key)
    return found


def device(key: str) -> Device:
    return find_device(*key.split("/"))


def target_of(key: str) -> HardwareTarget:
    return registry.targets()[key.partition("/")[0]]()


def first_of_each_target(keys: Iterable[str]) -> set[str]:
    return {*{key.partition("/")[0]: key for key in reversed([*keys])}.values()}


DIFFERENT = [*cores_of_a_kind().values()]
"""Devices with cores that differ in structure."""
FULL = first_of_each_target(DIFFERENT)
"""Devices that are asked about MANY networks, which have every part that networks have; `make soak` asks all devices about more."""


def missing_parts(key: str, seed: int) -> set[str]:
    """Returns what MANY networks of a device lack of its families, each kind of input and reset, delays and loops."""
    subject = Subject(device(key), MANY, seed)
    drawn = [*filter(None, map(subject.draw, range(seed, seed + MANY)))]
    families = {op.family.data for one in drawn for op in one.network.populations if op.family}
    resets = {one.name.rpartition(", ")[2] for one in drawn}
    text = " ".join(str(one.module) for one in drawn)
    parts = {"conv", "in", "fc"} if subject.is_layered else {"conv", "in", "fc", "pool", "rec"}
    if not subject.is_layered and subject.has_delays:
        parts.add("late")
    missing = {*subject.families} - families | ({"subtract"} if subject.is_layered else {*RESETS}) - resets
    return missing | {part for part in parts if f'"{part}"' not in text} | ({"bias"} if "bias" not in text else set())


def first_seed(key: str) -> int | None:
    """Returns the first seed from which MANY networks have every part."""
    return next((seed for seed in range(STARTS) if not missing_parts(key, seed)), None)


def first_accepted(key: str) -> int | None:
    """Returns the first seed from which a device accepts one of LEAST networks."""
    return next((seed for seed in range(STARTS) if Subject(device(key), LEAST, seed).fitting), None)


@pytest.mark.parametrize("key", DEVICES)
def test_device_conforms(key: str) -> None:
    has_cores = device(key).topology is not None
    if key in FULL:
        networks, seed = MANY, first_seed(key)
    elif has_cores and key not in DIFFERENT:  # it differs from another device in numbers alone
        networks, seed = LEAST, first_accepted(key)
    else:
        networks, seed = FEW, 0
    assert seed is not None
    (found,) = conform(key, networks=networks, seed=seed).devices
    assert not [*map(str, found.findings())]
    status = {one.name: one.status for one in found.questions}
    assert status.keys() == QUESTIONS.keys()
    rules = (device(key).plasticity or {}).values()
    learns = any(one.where == "chip" and one.rule in WINDOW_RULES for one in rules)
    is_asked = {"limits": has_cores, "artefact": target_of(key).load is not None, "learning": learns}
    assert (status["learning"] == "passed") == learns
    assert all(status[name] == "passed" for name in QUESTIONS if is_asked.get(name, True))
    proofs = {cell.proof for cell in capabilities(key) if cell.proof is not None and cell.proof.startswith(CONFORMANCE)}
    assert proofs <= {f"{CONFORMANCE}{name}" for name in QUESTIONS if status[name] == "passed"}


@pytest.mark.parametrize("key", sorted(FULL))
def test_families_and_resets_are_those_of_the_device(key: str) -> None:
    """Networks have no family that the device lacks; those of layers of counts have one reset."""
    subject = Subject(device(key), MANY, 0)
    drawn = [*filter(None, map(subject.draw, range(MANY)))]
    assert {op.family.data for one in drawn for op in one.network.populations if op.family} <= {*subject.families}
    assert {one.name.rpartition(", ")[2] for one in drawn} <= ({"subtract"} if subject.is_layered else {*RESETS})


def test_generated_networks_are_active() -> None:
    """The outputs are neither silent nor saturated, and the networks differ in every respect."""
    drawn = [one for seed in range(DRAWN) if (one := generate(seed, ["if", "lif", "cuba_lif"])) is not None]
    assert len(drawn) >= 0.8 * DRAWN
    for one in drawn:
        output = run_network(one.module, one.x)["output"]
        assert ACTIVE[0] <= (output != 0).mean() <= ACTIVE[1]
    text = " ".join(str(one.module) for one in drawn)
    for part in ('"late"', '"rec"', "_if.", "_lif.", "cuba_lif.", ".value", ".subtract"):
        assert 0 < sum(part in str(one.module) for one in drawn) <= len(drawn), part
    assert "bias" in text


def test_a_network_is_compiled_again_with_its_permissions() -> None:
    """A network that fits by the help of refusals fits in each further compilation, too."""
    subject = Subject(device("dynapse/se2"), 1, 0)
    (one,) = subject.asked(1)
    assert any("approximate=" in text for text in one.drawn.repairs)
    assert subject.compile(one.drawn).fit.is_fitting


def test_a_device_without_delays_gets_networks_without() -> None:
    """Everything else of a network is the same."""
    pairs = [[generate(seed, ["if"], has_delays=has_delays) for has_delays in (True, False)] for seed in range(DRAWN)]
    delayed = [both for both in pairs if '"late"' in str(both[0] and both[0].module)]
    assert len(delayed) >= DRAWN // 4
    assert not any('"late"' in str(alone and alone.module) for _, alone in pairs)
    same = [both for both in pairs if both not in delayed]
    assert all(str(one and one.module) == str(other and other.module) for one, other in same)


# ---- mutants


BROKEN = next(key for key in DEVICES if key.startswith("asic/") and target_of(key).load is not None)
"""A device that `test_device_conforms` asks every question."""

LEARNING = next(
    key
    for key in DEVICES
    if any(one.rule == "stdp" and one.where == "chip" for one in (device(key).plasticity or {}).values())
)
"""A device whose weights learn."""

Mutant = Callable[[HardwareTarget], dict[str, Any]]


def forgets(is_forgotten: Callable[[str], bool]) -> Mutant:
    """A pipeline that reads some limits from the file of the device, not from the device."""

    def mutant(target: HardwareTarget) -> dict[str, Any]:
        def pipeline(device: Device) -> str:
            kept = tuple(one for one in device.naming.settings if not is_forgotten(one))
            return target.pipeline(evolve(device, named_as=Naming(device.naming.key, kept)))

        return {"pipeline": pipeline}

    return mutant


def runs_before(step: str) -> Mutant:
    """A pipeline that changes the network first."""
    return lambda target: {"pipeline": lambda device: f"{step},{target.pipeline(device)}"}


def loads_first(target: HardwareTarget) -> dict[str, Any]:
    """A loader that returns the chip of the first files for all files."""
    seen: list[Mapping[str, bytes]] = []

    def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
        seen.append(files)
        return target.load()(seen[0], diagnostics)

    return {"load": lambda: load}


def stamps(target: HardwareTarget) -> dict[str, Any]:
    """An artefact with the number of the compilation."""
    numbers = count()

    def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
        made = target.artefact()(module, device, diagnostics)
        return evolve(made, files={**made.files, "stamp": str(next(numbers)).encode()})

    return {"artefact": lambda: artefact}


def changed_model(change: Callable[[Any, dict[str, np.ndarray]], dict[str, np.ndarray]]) -> Mutant:
    """A model whose results are changed."""

    def mutant(target: HardwareTarget) -> dict[str, Any]:
        class Model(target.model()):
            def run(self, *args: Any, **options: Any) -> dict[str, np.ndarray]:
                return change(self, super().run(*args, **options))

        return {"model": lambda: Model}

    return mutant


def flip(model: Any, found: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Flips the last spike of the first sample."""
    output = found["output"].copy()
    output[0, -1] = ~output[0, -1]
    return found | {"output": output}


def late(model: Any, found: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Emits the spikes of the second population a tick later."""
    return found | ({"second": np.roll(found["second"], 1, 1)} if "second" in found else {})


def remember() -> Callable[[Any, dict[str, np.ndarray]], dict[str, np.ndarray]]:
    """Returns the first result for all networks of that size."""
    seen: dict[Sequence[Any], dict[str, np.ndarray]] = {}
    return lambda model, found: seen.setdefault(tuple((name, array.shape) for name, array in found.items()), found)


def with_weights(change: Callable[[np.ndarray], np.ndarray]) -> Mutant:
    """A model whose weights are recorded in another way. Shapes: of the weights [samples, ticks, …]."""
    return changed_model(
        lambda model, found: {
            name: change(array) if name.endswith(".weight") else array for name, array in found.items()
        }
    )


def kept_weights(weights: np.ndarray) -> np.ndarray:
    return np.broadcast_to(weights[:, :1], weights.shape)


WRONG_LEARNING: dict[str, Mutant] = {
    "pairs of spikes": with_weights(lambda weights: weights[:, :1] - (weights - weights[:, :1])),
    "frequent spikes of all lines": with_weights(lambda weights: weights * 1.1),
    "a_plus twice as large": with_weights(kept_weights),
}
"""Models that fail each case of the question about learning: a window with the other sign, weights beyond the bounds, and weights that stay."""

MUTANTS: dict[str, Mutant] = {
    "limits": forgets(lambda one: not one.startswith(("core.memory", "memory."))),
    "dtypes": runs_before("ntensor-quantize-weights{bits=2}"),
    "delays": runs_before("ntensor-clamp-delays{max-delay=1}"),
    "plasticity": runs_before("ntensor-freeze-plasticity"),
    "learning": with_weights(kept_weights),
    "memory": forgets(lambda one: one.startswith(("core.memory", "memory."))),
    "execution": changed_model(flip),
    "scheduling": changed_model(late),
    "artefact": loads_first,
    "determinism": stamps,
    "equivalence": changed_model(flip),
    "weights": changed_model(remember()),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_question_fails_for_its_mutant(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    key = LEARNING if question == "learning" else BROKEN
    target = target_of(key)
    mutant = evolve(target, **MUTANTS[question](target))
    monkeypatch.setitem(registry.targets(), target.slug, lambda: mutant)
    (found,) = conform(key, only=[question], networks=FEW).devices
    assert found.questions[0].status == "failed"


@pytest.mark.parametrize("case", WRONG_LEARNING)
def test_each_case_of_learning_has_a_mutant(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    target = target_of(LEARNING)
    mutant = evolve(target, **WRONG_LEARNING[case](target))
    monkeypatch.setitem(registry.targets(), target.slug, lambda: mutant)
    (found,) = conform(LEARNING, only=["learning"], networks=LEAST).devices
    assert case in {one.case for one in found.questions[0].failures}


def test_an_exit_dialect_without_resources_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert target_of(BROKEN).slug == "asic"
    for op in (asic_ops.CoreOp, asic_ops.NeuronsOp):
        monkeypatch.setattr(op, "quantities", lambda self, device: {})
    (found,) = conform(BROKEN, only=["limits"], networks=FEW).devices
    assert "the resources of the exit dialect" in {one.case for one in found.questions[0].failures}


LIMITED = next(
    key for key in DEVICES if (one := device(key).synapse) is not None and one.convolution and one.weight_exponent
)
"""A device that limits the windows of convolutions and the exponents of weights."""


@pytest.mark.parametrize(
    ("question", "section", "networks"), [("limits", "convolution", 3), ("dtypes", "weight_exponent", 1)]
)
def test_forgotten_limits_of_tables_are_noticed(
    question: str, section: str, networks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = target_of(LIMITED)
    mutant = evolve(target, **forgets(lambda one: one.startswith(f"synapse.{section}."))(target))
    monkeypatch.setitem(registry.targets(), target.slug, lambda: mutant)
    (found,) = conform(LIMITED, only=[question], networks=networks).devices
    cases = {one.case for one in found.questions[0].failures}
    assert cases
    assert all(case.startswith(f"synapse.{section}.") for case in cases)
