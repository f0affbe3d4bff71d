"""Threads of the engine `native`: how many compute a tick, and runs where the system refuses threads."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from nets import Net, same_bits
from programs import needs_compiler
from xdsl.dialects.builtin import f32

from nopt.core.processors import chosen_processors, limited_processors, processor_count
from nopt.dialects.ntensor import NetworkOp
from nopt.simulation.signals import DenseSignal
from nopt.targets.c.model import MEASURED_AGAIN, NativeModel, Team

PROGRAM = """
import resource
from threading import Thread
import numpy as np
from xdsl.dialects.builtin import f32
from nets import Net
from nopt.simulation.signals import DenseSignal
from nopt.targets.c.model import NativeModel
net = Net(f32, x=((2,), f32))
model = NativeModel(net.network(out=net.linear(net.input("x"), np.ones((3, 2), np.float32), node="fc")), threads=2, least_synapses=1)
assert model._library.is_split
resource.setrlimit(resource.RLIMIT_AS, (2**36, 2**36))
try:
    Thread().start()
except RuntimeError:
    print("refused")
print(model.run({"x": DenseSignal(np.ones((1, 5, 2), np.float32))})["out"].sum())
"""
"""Each thread has a stack of a size that the address space of the process does not have."""


def dense() -> NetworkOp:
    net = Net(f32, x=((2,), f32))
    return net.network(out=net.linear(net.input("x"), np.ones((200, 2), np.float32), node="fc"))


def test_a_tick_has_the_faster_number_of_threads() -> None:
    team, used = Team(4, is_measured=True), []
    for _ in range(3 * MEASURED_AGAIN):
        threads = team.next()
        used.append(threads)
        team.measure(threads, 1.0 if threads == 1 else 0.5)
    assert used[:2] == [4, 1]
    assert used.count(1) == 4  # the second window, and one of each MEASURED_AGAIN
    for _ in range(MEASURED_AGAIN):
        threads = team.next()
        team.measure(threads, 1.0 if threads == 1 else 2.0)
    assert [team.next() for _ in range(3)] == [1, 1, 1]


def test_a_given_number_is_kept() -> None:
    team = Team(4, is_measured=False)
    team.measure(4, 9.0)
    team.measure(1, 1.0)
    assert team.next() == 4


def test_a_context_sets_the_number() -> None:
    before = processor_count()
    with limited_processors(3):
        assert (processor_count(), chosen_processors()) == (3, 3)
        with limited_processors(None):
            assert processor_count() == 3
    assert (processor_count(), chosen_processors()) == (before, None)


@needs_compiler
@pytest.mark.parametrize("threads", [2, 3, 7])
def test_small_networks_can_be_split(threads: int) -> None:
    x = DenseSignal(np.random.default_rng(0).normal(size=(1, 50, 2)).astype(np.float32))
    wanted = NativeModel(dense(), threads=1).run({"x": x})["out"]
    model = NativeModel(dense(), threads=threads, least_synapses=400)
    assert model._library.is_split
    assert same_bits(model.run({"x": x})["out"], wanted)
    assert not NativeModel(dense(), threads=threads, least_synapses=401)._library.is_split


@needs_compiler
@pytest.mark.skipif(sys.platform != "linux", reason="limits of the address space")
def test_one_thread_runs_what_the_system_refuses_to_split() -> None:
    command = ["bash", "-c", 'ulimit -s 268435456 && exec "$0" "$@"', sys.executable, "-c", PROGRAM]
    path = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "OPENBLAS_NUM_THREADS": "1", **path}
    )
    assert done.stdout.split() == ["refused", "30.0"], done.stderr
