"""Questions about types of numbers, delays and plasticity: supported ones are kept, and missing ones are refused or recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ...core.arrays.arrays import ArrayAttr
from ...core.device.device import Device
from ...dialects import nir, ntensor
from ...dialects.chip_base.needs import INTEGERS
from ..options import Choices
from .artefacts import differing
from .limits import DELAY, ask_fields
from .networks import DT, Drawing, Drawn, discretised
from .subject import Answer, Compiled, Subject

EXPONENT = "synapse.weight_exponent.max"
SIZE, TICKS = 8, 20
"""Neurons of a population, and ticks of an input."""
LONG_DELAYS = (1, 2, 5, 20)
"""Delays [ticks] in the questions to a device without a declared limit."""
REAL = re.compile(r"f\d+")
WHOLE = re.compile(r"[iu](\d+)")
MOST_BITS = 24
"""Bits of the widest integers whose sums are exact in f32."""
STDP = nir.StdpAttr.of(0.01, 0.012, 0.02, 0.02, -1.0, 1.0)
EXCITATORY_STDP = nir.StdpAttr.of(0.01, 0.012, 0.02, 0.02, 0.0, 1.0)


def spikes(ticks: int, rate: float = 0.3) -> NDArray[np.bool_]:
    return np.random.default_rng(1).random((1, ticks, SIZE)) < rate


def layer(
    subject: Subject, weight: NDArray[Any], threshold: float, rule: Choices | None = None, **entries: Any
) -> Drawn:
    """Returns a network of one linear op and one population."""
    drawing = Drawing(SIZE)
    x = drawing.linear("fc", drawing.x, weight, **entries)
    module = drawing.finish(drawing.population(subject.family, "lif", x, threshold))
    return Drawn("one layer", discretised(module, rule or subject.rule), spikes(TICKS))


# ---- types of numbers


def ask_dtypes(subject: Subject) -> Iterator[Answer]:
    """Weights that a type holds are kept; wider weights are refused, or their approximation is recorded."""
    rng = np.random.default_rng(0)
    types = subject.device.synapse.dtypes if subject.device.synapse is not None else ()
    bits = subject.device.integer("quantization.weight_bits")
    if bits is None and (not types or any(map(REAL.fullmatch, types))):
        found = subject.follow(layer(subject, rng.normal(0, 1, (SIZE, SIZE)), 1.0))
        yield keeps(subject, found, "real weights of 32 bits")
        return
    widths = [int(match[1]) for one in types if (match := WHOLE.fullmatch(one))]
    bits = bits or min(subject.device.integer("synapse.bits") or MOST_BITS, max(widths))
    if (sum_bits := subject.device.integer("synapse.sum_bits")) is not None:  # the weights of a neuron share it
        bits = min(bits, sum_bits - (SIZE - 1).bit_length())
    for n in (bits, bits + 1):
        largest = 2 ** (n - 1) - 1
        values = subject.device.integer("core.crossbar.axon_types") or SIZE  # different weights of one neuron
        most, unit = most_units(subject.device), 1
        if most is not None and n == bits:
            unit = largest // most
            largest = unit * most
        weight = unit * rng.integers(-(largest // unit), largest // unit + 1, (SIZE, SIZE))[:, np.arange(SIZE) % values]
        weight[:, ::values] = largest  # the scale of each row is 1
        threshold = float(largest * (2 if n == bits else SIZE))  # which counts where sums and thresholds share the bits
        found = subject.follow(layer(subject, weight.astype(np.float32), threshold))
        case = f"integer weights of {n} bits"
        if n == bits:
            yield keeps(subject, found, case)
        else:
            wrong = None if is_recorded(found, "fc") or is_refused(found, "synapse") else "neither"
            yield Answer(case, "refused with the limit, or an approximation that is recorded", wrong)
    yield from ask_exponents(subject, bits)


def most_units(device: Device) -> int | None:
    """Returns the largest multiple of the unit weight, if weights are sums of a core's currents and thus equally spaced; None for other devices."""
    currents, words = device.integer("synapse.currents"), device.integer("synapse.words")
    if currents is None:
        return None
    return 2**currents - 1 if words is None else words  # each current is twice the one before, or synapses repeat one


def ask_exponents(subject: Subject, bits: int) -> Iterator[Answer]:
    """Asks about weights that share a power of two: with the greatest exponent of the device, and with the next one."""
    most = subject.device.integer(EXPONENT) if subject.device.entry(EXPONENT.rpartition(".")[0]) is not None else None
    for k in () if most is None else (most, most + 1):
        drawn, case = shared_power(subject, bits, k), f"integer weights of {bits} bits times 2^{k}"
        found = subject.follow(drawn)
        if k == most or found.fit.is_fitting:
            yield keeps(subject, found, case)
        else:
            yield Answer(
                case, f"refused with {EXPONENT} and a help", None if is_refused(found, EXPONENT) else found.refusal
            )
        if k == most and found.fit.is_fitting:
            yield from ask_fields(subject, found, lambda path: path == EXPONENT)


def shared_power(subject: Subject, bits: int, k: int) -> Drawn:
    """Returns a network with `bits`-bit integer weights times 2^k, declared as quantised with a scale of 1."""
    largest = 2 ** (bits - 1) - 1
    weight = np.random.default_rng(4).integers(-largest, largest + 1, (SIZE, SIZE)) << k
    weight[:, 0] = largest << k
    threshold = (largest << k) / 6  # with a leak of a quarter, a potential of 16 bits holds it, and not two of it
    drawn = layer(subject, weight.astype(np.float32), threshold)
    (op,) = [op for op in drawn.module.walk() if isinstance(op, ntensor.LinearOp)]
    op.replace_weights(ArrayAttr.of(weight.astype(np.int32)), ntensor.QuantizedAttr.of(bits + k, np.ones(())))
    return drawn


def keeps(subject: Subject, found: Compiled, case: str) -> Answer:
    """Returns whether a network was compiled with unchanged weights."""
    wrong = found.refusal or None
    if wrong is None and is_recorded(found, "fc"):
        wrong = "; ".join(one.what.data for one in found.approximations)
    return Answer(case, "weights without an approximation", wrong or subject.difference(found, subject.run(found)))


def is_recorded(found: Compiled, node: str) -> bool:
    """Returns whether an approximation of a node is recorded, except one with a known error of 0."""
    return any(
        node in [name.data for name in one.touched] and getattr(getattr(one.largest, "value", None), "data", 1.0) != 0
        for one in found.approximations
    )


def is_refused(found: Compiled, path: str) -> bool:
    """Returns whether a network is refused with a field of the device and a help."""
    return any((one.path or "").startswith(path) and one.help for one in found.errors)


# ---- delays


def ask_delays(subject: Subject) -> Iterator[Answer]:
    """A delay moves the output by its ticks; a delay that the device lacks is refused, or recorded."""
    limit = subject.device.integer(f"{DELAY}.max")
    asked = LONG_DELAYS if limit is None else sorted({1, max(1, limit - 1), limit, limit + 1})
    base = subject.follow(delayed(subject, 0, max(asked)))
    if not base.fit.is_fitting:
        yield Answer("a network without delays", "compiled", base.refusal)
        return
    first = late_output(subject, base)
    for ticks in asked:
        found, case = subject.follow(delayed(subject, ticks, max(asked))), f"a delay of {ticks} ticks"
        if not found.fit.is_fitting:
            wrong = None if is_refused(found, DELAY) else found.refusal
            yield Answer(case, f"compiled, or refused with {DELAY} and a help", wrong)
            continue
        late = late_output(subject, found)[ticks:]
        most = min(len(late), len(first))
        is_exact = np.array_equal(late[:most], first[:most])
        is_reported = any(one.path == f"{DELAY}.max" for one in found.fit.findings)
        is_lossy = is_recorded(found, "late") and is_reported and limit is not None and ticks > limit
        yield Answer(case, f"the output {ticks} ticks later", None if is_exact or is_lossy else "another output")
    for one in [one for one in (base, *subject.fitting) if one.fit.is_fitting][:2]:
        yield from ask_fields(subject, one, lambda path: path.startswith(DELAY))


def delayed(subject: Subject, ticks: int, most: int) -> Drawn:
    """Returns a network with a delay between two populations."""
    drawing, rng = Drawing(SIZE), np.random.default_rng(2)
    first = drawing.linear("in", drawing.x, rng.integers(1, 4, (SIZE, SIZE)).astype(np.float32))
    z = drawing.population(subject.family, "first", first, 4.0)
    if ticks:
        z = drawing.add(nir.DelayOp, "late", z, delay=np.float32(ticks / 1000))
    second = drawing.linear("fc", z, rng.integers(1, 4, (SIZE, SIZE)).astype(np.float32))
    module = drawing.finish(drawing.population(subject.family, "second", second, 4.0))
    x = spikes(TICKS + 2 * most)
    x[:, TICKS:] = False
    return Drawn(
        "two layers",
        discretised(
            module,
            {**subject.rule, "reset": "subtract"}
            if subject.is_layered
            else {"dt": DT, "like": "norse", "precision": subject.precision},
        ),
        x,
    )


def late_output(subject: Subject, found: Compiled) -> NDArray[Any]:
    """Returns the output of the model without the stated latency. Shapes: [ticks, SIZE]."""
    output = subject.run(found)["output"][0]
    return output[found.latency :]


# ---- plasticity


def ask_plasticity(subject: Subject) -> Iterator[Answer]:
    """A learning rule is kept where the device has it; otherwise it is refused with a help that works, or removed with a remark."""
    weight = np.random.default_rng(3).uniform(-1, 1, (SIZE, SIZE)).round(2)
    drawn = layer(subject, weight, 1.0, plasticity=STDP)
    has_rule = any(one.rule in ("stdp", INTEGERS) for one in (subject.device.plasticity or {}).values())
    if has_rule and any(
        one.path == "plasticity" for one in subject.compile(drawn).errors
    ):  # weights that learn may have one sign
        weight = np.abs(weight)
        excitatory = layer(subject, weight, 1.0, plasticity=EXCITATORY_STDP)
        drawn = excitatory if subject.compile(excitatory).fit.is_fitting else drawn
    case = f"pair STDP on a device {'with' if has_rule else 'without'} it"
    found = subject.follow(drawn, lambda one: one.path == "plasticity")
    if has_rule:
        yield Answer(case, "compiled", found.refusal or None)
        without = subject.follow(layer(subject, weight, 1.0))
        if found.fit.is_fitting and without.fit.is_fitting:
            is_kept = subject.files(found) != subject.files(without)
            yield Answer("the artefact with the rule", "not the one without it", None if is_kept else "the same")
            yield from ask_loader(subject, found)
        return
    about_rule = [one for one in found.fit.findings if one.path == "plasticity"]
    if found.fit.is_fitting:
        yield Answer(case, "refused, or removed with a remark", None if about_rule else "removed without a remark")
        return
    yield Answer(case, "refused with the field plasticity", None if about_rule else found.refusal)
    again = subject.follow(drawn)
    yield Answer("the help of the refusal", "a pipeline that removes it", again.refusal or None)


def ask_loader(subject: Subject, found: Compiled) -> Iterator[Answer]:
    """Asks whether the loader reads a learning rule back."""
    if subject.target.load is not None:
        files = subject.files(found)
        loaded = subject.load(files)
        wrong = differing(files, subject.files(evolve(found, module=loaded)))
        yield Answer("the rule in the artefact, read back", "the same files", wrong)
