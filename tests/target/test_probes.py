"""Probes of a generated network on every device: kept up to the artefact, or refused by the declaration of the device."""

from __future__ import annotations

from functools import cache

import pytest
from attrs import evolve
from test_every_target import DEVICES

from nopt.api.conformance.networks import Drawn
from nopt.api.conformance.subject import Compiled, Subject
from nopt.api.modules import only_network
from nopt.core.device.device import find_device
from nopt.dialects.ntensor import NetworkOp, updates_of
from nopt.dialects.ntensor.probes import (
    SPIKES,
    STATES,
    NodeProbe,
    ProbedOperation,
    probe_names,
    probes_of,
    record_types,
    set_probes,
)

SEEDS = 40


@cache
def case(key: str) -> tuple[Subject, Compiled]:
    """Returns a device, and the first generated network that fits on it."""
    subject = Subject(find_device(*key.split("/")), 1, 0)
    found = (subject.follow(drawn) for seed in range(SEEDS) if (drawn := subject.draw(seed)) is not None)
    return subject, next(one for one in found if one.fit.is_fitting)


def probed(drawn: Drawn, probes: list[NodeProbe]) -> Drawn:
    module = drawn.module.clone()
    set_probes(only_network(module), probes)
    return evolve(drawn, module=module)


def recordable(network: NetworkOp, kinds: tuple[str, ...], names: set[str]) -> list[NodeProbe]:
    """Returns everything that a device records of the populations of a network."""
    updates, found = updates_of(network), list[NodeProbe]()
    for op in network.populations:
        states = [one for one in record_types(updates[op.update_name]) if one in kinds or STATES in kinds]
        found += [NodeProbe(op.node.data, state) for state in (*([None] if SPIKES in kinds else []), *states)]
    return [probe for probe in found if probe.node in names]


@pytest.mark.parametrize("key", DEVICES)
def test_an_artefact_has_the_probes_or_the_device_refuses_them(key: str) -> None:
    subject, compiled = case(key)
    kinds = () if subject.device.probes is None else subject.device.probes.kinds
    names = {op.node.data for op in compiled.drawn.network.populations}
    probes = recordable(only_network(compiled.network), kinds, names)
    refused = subject.compile(probed(compiled.drawn, [NodeProbe(name, "no_such_state") for name in names]))
    assert {str(one.code) for one in refused.errors} <= {"NTE021", "NTE022", "NTE023"}
    assert refused.errors
    if not probes:
        assert not kinds
        return
    again = subject.compile(probed(compiled.drawn, probes))
    assert again.fit.is_fitting, again.refusal
    network = only_network(again.network)
    assert probe_names(network) == [one.array for one in probes]
    assert probes_of(network, names) == probes
    module = again.module
    if subject.target.load is not None:
        module = subject.load(subject.files(again))
        (loaded,) = [op for op in module.ops if isinstance(op, ProbedOperation)]
        assert probe_names(loaded) == [one.array for one in probes]
    (op,) = [op for op in again.module.ops if isinstance(op, ProbedOperation)]
    assert all(op.places(probe) for probe in probes)
    arrays = subject.run(again, module=module)
    assert {one.array for one in probes} <= arrays.keys()
    assert subject.difference(again, arrays) is None
