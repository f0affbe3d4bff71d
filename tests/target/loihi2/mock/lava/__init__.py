"""A mock of the parts of Lava that `lava_network.py` uses, in one process of the machine.

It computes what the documentation of Lava 0.10.0 states, in integers of 64 bits: `Dense` sends in a tick the sum of the spikes of the tick before, shifted
by its exponent; `DelayDense` does so for each delay; `LIF` decays, adds, compares and resets. A port adds what arrives from all its connections. The models
of the script itself (`Programmable`, `Join`, and `Compartments` by its base) run as they are. At its end, `calls.json` lists the processes and runs.

Source: Lava 0.10.0, lava/proc/dense/models.py, lava/proc/lif/models.py, lava/proc/io/source.py, lava/utils/weightutils.py.
"""

from __future__ import annotations

import json
import sys
from enum import Enum
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

REGISTER_BITS, STATE_BITS, DECAY_BITS, SHIFT = 8, 24, 12, 6
processes: list[AbstractProcess] = []
"""All processes, in the order of their creation."""
models: dict[type, type] = {}
"""The model of each process."""
calls: dict[str, Any] = {"processes": {}, "runs": 0, "resets": 0, "message_bits": []}


# ---- processes, ports and variables


class Port:
    """An output or input port; an output is sent to all inputs that it is connected to."""

    def __init__(self, shape: tuple[int, ...]):
        self.shape = shape
        self.arriving = np.zeros(shape, np.int64)
        self.targets: list[Port] = []

    def connect(self, other: Port) -> None:
        assert self.shape == other.shape
        self.targets.append(other)

    def send(self, values: Any) -> None:
        assert np.shape(values) == self.shape
        for target in self.targets:
            target.arriving += np.asarray(values, np.int64)

    def recv(self) -> np.ndarray:
        found, self.arriving = self.arriving, np.zeros(self.shape, np.int64)
        return found


class Var:
    """A variable of a process, which its model holds under the same name."""

    def __init__(self, shape: tuple[int, ...], init: Any):
        self.shape, self.init = shape, np.broadcast_to(np.asarray(init), shape).astype(np.int64)
        self.values = self.init.copy()

    def set(self, values: np.ndarray) -> None:
        assert values.shape == self.shape
        calls["resets"] += 1
        self.values[...] = values


class AbstractProcess:
    """A process with its parameters."""

    def __init__(self, **params: Any):
        self.proc_params = params
        processes.append(self)

    def create_runtime(self, settings: SimpleNamespace) -> None:
        assert settings.select_tag == "fixed_pt"
        for process in processes:
            kind = type(process).__name__
            calls["processes"][kind] = calls["processes"].get(kind, 0) + 1
        calls["message_bits"] = [one.message_bits for one in processes if isinstance(one, Dense)]
        self.runtime = Runtime()

    def run(self, condition: SimpleNamespace, run_cfg: SimpleNamespace) -> None:
        calls["runs"] += 1
        self.runtime.run(condition.num_steps)

    def stop(self) -> None:
        Path("calls.json").write_text(json.dumps(calls), encoding="utf-8")


class Model:
    """Base of the models of processes: ports and variables of the process are its attributes."""

    time_step = 0

    def __init__(self, proc_params: dict[str, Any]):
        self.proc_params = proc_params

    def bind(self, process: AbstractProcess) -> None:
        for name, value in vars(process).items():
            if isinstance(value, Port):
                setattr(self, name, value)
            elif isinstance(value, Var):
                setattr(self, name, value.values)


class Runtime:
    """The models of all processes. In a tick every synapse sends first, and receives last."""

    def __init__(self) -> None:
        self.tick = 0
        self.dense = [one for one in processes if isinstance(one, Dense)]
        self.models: list[Any] = []
        for process in processes:
            if not isinstance(process, Dense):
                model = models[type(process)](process.proc_params)
                model.bind(process)
                self.models.append(model)
        self.models.sort(key=lambda model: "first" in model.proc_params)  # a `Join` after what it reads

    def run(self, ticks: int) -> None:
        for _ in range(ticks):
            self.tick += 1
            for one in self.dense:
                one.send()
            for model in self.models:
                model.time_step = self.tick
                model.run_spk()
            for one in self.dense:
                one.receive()


def implements(proc: type, protocol: type) -> Any:
    def decorate(model: type) -> type:
        models[proc] = model
        return model

    return decorate


def unchanged(*_: object) -> Any:
    return lambda model: model


# ---- the processes of Lava


class RingBuffer(AbstractProcess):
    """A source of spikes or payloads [neurons, ticks]."""

    def __init__(self, *, data: np.ndarray):
        super().__init__(data=data)
        self.s_out = Port(data.shape[:-1])


class RingBufferModel(Model):
    def run_spk(self) -> None:
        data = self.proc_params["data"]
        self.s_out.send(data[:, (self.time_step - 1) % data.shape[1]])  # pyrefly: ignore[missing-attribute]


models[RingBuffer] = RingBufferModel


class SignMode(Enum):
    MIXED, EXCITATORY, INHIBITORY = range(3)


class Dense(AbstractProcess):
    """Weights [targets, sources]. Without message bits, a payload counts as a spike."""

    delays: Any = 0
    last = 0

    def __init__(
        self, *, weights: np.ndarray, weight_exp: int, num_weight_bits: int, sign_mode: SignMode, num_message_bits: int
    ):
        super().__init__(weights=weights)
        step = 1 << (REGISTER_BITS - num_weight_bits + (sign_mode is SignMode.MIXED))
        rounded = -(-weights // step) if sign_mode is SignMode.INHIBITORY else weights // step
        self.weights, self.weight_exp, self.message_bits = rounded * step, weight_exp, num_message_bits
        self.s_in, self.a_out = Port(weights.shape[1:]), Port(weights.shape[:1])
        self.a_buff = Var((len(weights), 1 + self.last), 0)

    def send(self) -> None:
        held = self.a_buff.values
        self.a_out.send(held[:, 0])
        held[:] = np.roll(held, -1, axis=1)
        held[:, -1] = 0

    def receive(self) -> None:
        spikes = self.s_in.recv()
        if not self.message_bits:
            spikes = spikes.astype(bool).astype(np.int64)
        for delay in range(1 + self.last):
            added = np.where(self.delays == delay, self.weights, 0) @ spikes
            self.a_buff.values[:, delay] += (
                added << self.weight_exp if self.weight_exp > 0 else added >> -self.weight_exp
            )


class DelayDense(Dense):
    def __init__(self, *, delays: np.ndarray, max_delay: int, **registers: Any):
        self.delays, self.last = delays, max_delay
        super().__init__(**registers)


class LIF(AbstractProcess):
    def __init__(self, *, shape: tuple[int, ...], **values: Any):
        super().__init__(shape=shape, **values)
        self.a_in, self.s_out = Port(shape), Port(shape)
        for name in ("u", "v", "bias_mant", "bias_exp"):
            setattr(self, name, Var(shape, values[name]))


class PyLifModelBitAcc(Model):
    """LIF in integers: decays of 12 bits round toward zero, u wraps at 24 bits, v saturates, the comparison is strict."""

    def decayed(self, values: np.ndarray, factor: np.ndarray) -> np.ndarray:
        product = values * factor
        return np.sign(product) * (np.abs(product) >> DECAY_BITS)

    def run_spk(self) -> None:
        held: Any = self
        one, half = 1 << DECAY_BITS, 1 << (STATE_BITS - 1)
        u = self.decayed(held.u, one - held.du - 1) + (held.a_in.recv() << SHIFT)
        held.u[:] = np.where(u > half, u - 2 * half, np.where(u <= -half, u + 2 * half, u))
        bias = (held.bias_mant << np.maximum(held.bias_exp, 0)) >> np.maximum(-held.bias_exp, 0)
        held.v[:] = np.clip(self.decayed(held.v, one - held.dv) + held.u + bias, 1 - half, half - 1)
        self.s_out_buff = held.v > held.vth << SHIFT
        held.v[self.s_out_buff] = 0
        held.s_out.send(self.s_out_buff)


# ---- modules


def register(name: str, **members: Any) -> None:
    """Makes a module importable, with the packages above it."""
    parts = name.split(".")
    for count in range(2, 1 + len(parts)):
        sys.modules.setdefault(".".join(parts[:count]), ModuleType(".".join(parts[:count])))
    vars(sys.modules[name]).update(members)


def module_like(**fields: Any) -> SimpleNamespace:
    return SimpleNamespace(**fields)


def typed(*_: object, **__: object) -> None:
    """Returns nothing for the type of a variable: all are integers of 64 bits here."""


PORT = SimpleNamespace(VEC_DENSE=None)
register("lava.magma.core.decorator", implements=implements, requires=unchanged, tag=unchanged)
register("lava.magma.core.model.py.model", PyLoihiProcessModel=Model)
register("lava.magma.core.model.py.ports", PyInPort=PORT, PyOutPort=PORT)
register("lava.magma.core.model.py.type", LavaPyType=typed)
register("lava.magma.core.process.ports.ports", InPort=Port, OutPort=Port)
register("lava.magma.core.process.process", AbstractProcess=AbstractProcess)
register("lava.magma.core.process.variable", Var=Var)
register("lava.magma.core.resources", CPU=None)
register("lava.magma.core.run_conditions", RunSteps=module_like)
register("lava.magma.core.run_configs", Loihi2SimCfg=module_like)
register("lava.magma.core.sync.protocols.loihi_protocol", LoihiProtocol=None)
register("lava.proc.dense.process", Dense=Dense, DelayDense=DelayDense)
register("lava.proc.io.source", RingBuffer=RingBuffer)
register("lava.proc.lif.models", PyLifModelBitAcc=PyLifModelBitAcc)
register("lava.proc.lif.process", LIF=LIF)
register("lava.utils.weightutils", SignMode=SignMode)
