"""Neurons of drawn networks: how each framework makes and calls them, in each form of a network.

Every framework draws from all of its kinds of neurons that a network may have; `used` lists the kinds of a network.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import torch
from torch import nn

Shape = tuple[int, ...]
Rng = np.random.Generator
Maker = Callable[[Shape], nn.Module]
VALUES = ("Filtered", "Recurrent")
"""Blocks whose forward keeps signals from tick to tick."""
WINDOWS = ("FunctionalPools", "Permuted", "Means", "Functional")
"""Blocks with functions that know no axis of ticks."""


class Frame:
    """The neurons of a framework, and the states of a running network."""

    kinds: ClassVar[tuple[str, ...]] = ("dense", "map", "row")
    forms: ClassVar[tuple[str, ...]] = ("tick", "loop")
    drive: ClassVar[float] = 10.0
    """Sum of the weights of a neuron."""
    feedback: ClassVar[float] = 0.5
    """Share of it that recurrent weights have."""
    passes_states: ClassVar[bool] = False
    time_axis: ClassVar[int] = 0

    def __init__(self) -> None:
        self.states: dict[str, Any] = {}
        self.used: list[str] = []
        self.axis = 1
        self.form = ""
        self.drawn = 0

    def start(self, kind: str, form: str) -> None:
        self.form = form
        self.axis = 2 if form == "all" and not self.joins(kind) else 1

    def joins(self, kind: str) -> bool:
        """Returns whether all ticks and samples share an axis."""
        return False

    def takes(self, block: str, kind: str, form: str) -> bool:
        """Returns whether a form of a network can contain a block."""
        return form != "all" or block not in (VALUES if self.joins(kind) else (*VALUES, *WINDOWS))

    def select(self, x: torch.Tensor, tick: int) -> torch.Tensor:
        return x[tick]

    def finish(self, network: nn.Module) -> nn.Module:
        return network

    # ---- layers

    def layer(self, kind: str, *sizes: Any, **named: Any) -> Any:
        return getattr(nn, kind)(*sizes, **named)

    def trial(self, layer: Any) -> Any:
        """Returns a layer as a function of one sample in one tick."""
        return layer

    def makers(self) -> dict[str, Maker]:
        """Returns the kinds of neurons."""
        raise NotImplementedError

    def neurons(self, rng: Rng, shape: Shape) -> nn.Module:
        """Draws a layer of neurons; successive layers have different kinds."""
        makers = self.makers()
        if not self.drawn:
            self.drawn = int(rng.integers(len(makers)))
        self.drawn += 1
        name = list(makers)[self.drawn % len(makers)]
        self.used.append(name)
        return makers[name](shape)

    def recurrent(self, rng: Rng, size: int) -> nn.Module:
        """Returns neurons with weights for their own spikes."""
        raise NotImplementedError

    # ---- calls

    def name_neurons(self, network: nn.Module) -> None:
        for name, module in network.named_modules():
            module.drawn_name = name

    def fire(self, neurons: Any, x: torch.Tensor) -> torch.Tensor:
        return neurons(x)

    def before(self, owner: Any, like: torch.Tensor) -> torch.Tensor:
        """Returns a signal that the tick before kept; zeros in the first tick."""
        found = self.states.get("kept")
        return torch.zeros_like(like) if found is None else found

    def keep(self, owner: Any, x: torch.Tensor) -> torch.Tensor:
        self.states["kept"] = x
        return x


class SnnTorch(Frame):
    passes_states = True

    def makers(self) -> dict[str, Maker]:
        import snntorch as snn

        def kind(name: str, **named: Any) -> Maker:
            return lambda shape: getattr(snn, name)(**named)

        return {
            "Leaky": kind("Leaky", beta=0.9),
            "Leaky zero": kind("Leaky", beta=0.8, reset_mechanism="zero"),
            "Synaptic": kind("Synaptic", alpha=0.5, beta=0.8),
            "Leaky at once": kind("Leaky", beta=0.9, reset_delay=False, threshold=1.5),
            "Alpha": kind("Alpha", alpha=0.9, beta=0.8),
            "Leaky graded": kind("Leaky", beta=0.85, graded_spikes_factor=0.5),
            "Lapicque": kind("Lapicque", beta=0.9),
            "Synaptic zero": kind("Synaptic", alpha=0.4, beta=0.7, reset_mechanism="zero"),
            "IF": kind("Leaky", beta=1.0, threshold=3.0),
        }

    def recurrent(self, rng: Rng, size: int) -> nn.Module:
        import snntorch as snn

        kind = str(rng.choice(["RLeaky", "RSynaptic"]))
        named = {"alpha": 0.5} if kind == "RSynaptic" else {}
        self.used.append(kind)
        return getattr(snn, kind)(beta=0.8, linear_features=size, **named)

    def fire(self, neurons: Any, x: torch.Tensor) -> torch.Tensor:
        name = neurons.drawn_name
        given = self.states.get(name)
        if given is None:
            given = neurons.reset_mem()
            given = given if isinstance(given, tuple) else (given,)
        spikes, *states = neurons(x, *given)
        self.states[name] = (spikes, *states) if type(neurons).__name__.startswith("R") else tuple(states)
        return spikes


class Norse(Frame):
    passes_states = True
    drive = 60.0

    def makers(self) -> dict[str, Maker]:
        from norse import torch as norse
        from norse.torch.module import lif_adex, lif_adex_refrac, lif_ex, lif_refrac, lsnn

        def kind(home: Any, name: str, **named: Any) -> Maker:
            return lambda shape: getattr(home, name)(**named)

        box = norse.LIFBoxParameters(tau_mem_inv=torch.tensor(80.0), v_reset=torch.tensor(-0.1), v_th=torch.tensor(0.7))
        slow = norse.LIFParameters(tau_mem_inv=torch.tensor(50.0), tau_syn_inv=torch.tensor(100.0))
        return {
            "LIFCell": kind(norse, "LIFCell"),
            "LIFBoxCell": kind(norse, "LIFBoxCell", p=box),
            "LSNNCell": kind(lsnn, "LSNNCell"),
            "slow LIFCell": kind(norse, "LIFCell", p=slow),
            "LIFRefracCell": kind(lif_refrac, "LIFRefracCell"),
            "LIFAdExCell": kind(lif_adex, "LIFAdExCell"),
            "IAFCell": lambda shape: norse.IAFCell(norse.IAFParameters(v_th=torch.tensor(40.0)), dt=1e-3),
            "LIFExCell": kind(lif_ex, "LIFExCell"),
            "LIFAdExRefracCell": kind(lif_adex_refrac, "LIFAdExRefracCell"),
        }

    def recurrent(self, rng: Rng, size: int) -> nn.Module:
        from norse.torch.module import lif, lif_adex, lif_refrac, lsnn

        kinds = {"LIFRecurrentCell": lif, "LSNNRecurrentCell": lsnn, "LIFRefracRecurrentCell": lif_refrac}
        kinds["LIFAdExRecurrentCell"] = lif_adex
        name = str(rng.choice(list(kinds)))
        self.used.append(name)
        return getattr(kinds[name], name)(size, size)

    def fire(self, neurons: Any, x: torch.Tensor) -> torch.Tensor:
        name = neurons.drawn_name
        spikes, self.states[name] = neurons(x, self.states.get(name))
        return spikes


class Sinabs(Frame):
    forms = ("all", "loop")
    feedback = 0.1
    time_axis = 1

    def start(self, kind: str, form: str) -> None:
        super().start(kind, form)
        self.is_joined = form == "all" and self.joins(kind)

    def joins(self, kind: str) -> bool:
        return kind != "dense"

    def finish(self, network: nn.Module) -> nn.Module:
        return network

    def select(self, x: torch.Tensor, tick: int) -> torch.Tensor:
        return x[:, tick]

    def makers(self) -> dict[str, Maker]:
        import sinabs.activation as rules
        import sinabs.layers as sl
        from sinabs.layers import alif

        def kind(name: str, **named: Any) -> Maker:
            if self.is_joined:
                home = alif if name == "ALIF" else sl
                return lambda shape: getattr(home, f"{name}Squeeze")(batch_size=1, **named)
            return lambda shape: getattr(sl, name)(**named)

        single = {"spike_fn": rules.SingleSpike, "reset_fn": rules.MembraneReset()}
        return {
            "LIF": kind("LIF", tau_mem=10.0, norm_input=False),
            "LIF with tau_syn": kind("LIF", tau_mem=8.0, tau_syn=4.0, norm_input=False),
            "IAF": kind("IAF", spike_threshold=4.0, min_v_mem=-4.0),
            "ALIF": kind("ALIF", tau_mem=10.0, tau_adapt=20.0, norm_input=False),
            "bounded LIF": kind("LIF", tau_mem=20.0, min_v_mem=-0.5, norm_input=False, spike_threshold=2.0),
            "single LIF": kind("LIF", tau_mem=15.0, norm_input=False, **single),
            "IAF of three": kind("IAF", spike_threshold=2.0, spike_fn=rules.MaxSpike(3)),
            "LIF with subtract": kind("LIF", tau_mem=12.0, reset_fn=rules.MembraneSubtract(0.7)),
        }

    def recurrent(self, rng: Rng, size: int) -> nn.Module:
        import sinabs.layers as sl

        weights = nn.Linear(size, size)
        weights.weight.data = torch.round(32 * torch.rand(size, size)) / 256
        name = str(rng.choice(["LIFRecurrent", "IAFRecurrent", "ALIFRecurrent"]))
        self.used.append(name)
        named: dict[str, Any] = {} if name.startswith("IAF") else {"tau_mem": 10.0, "norm_input": False}
        if name.startswith("ALIF"):
            named["tau_adapt"] = 20.0
        return getattr(sl, name)(rec_connect=weights, **named)

    def fire(self, neurons: Any, x: torch.Tensor) -> torch.Tensor:
        return neurons(x.unsqueeze(1)).squeeze(1) if self.form == "loop" else neurons(x)


class Rockpool(Frame):
    kinds = ("dense",)
    forms = ("all", "loop", "all")
    drive = 3.0
    feedback = 0.1
    time_axis = 1

    def takes(self, block: str, kind: str, form: str) -> bool:
        return block != "Normalised" and super().takes(block, kind, form)

    def select(self, x: torch.Tensor, tick: int) -> torch.Tensor:
        return x[:, tick : tick + 1]

    def start(self, kind: str, form: str) -> None:
        super().start(kind, form)
        self.axis = 2

    def makers(self) -> dict[str, Maker]:
        from rockpool.nn.modules import torch as modules

        def kind(name: str, **named: Any) -> Maker:
            return lambda shape: getattr(modules, name)(shape[0], dt=1e-3, **named)

        def two_synapses(shape: Shape) -> nn.Module:
            both = modules.LIFTorch((2 * shape[0], shape[0]), tau_syn=torch.tensor([[0.005, 0.02]] * shape[0]), dt=1e-3)
            return nn.Sequential(Doubled(), both)

        return {
            "LIFTorch": kind("LIFTorch", tau_mem=0.01, tau_syn=0.005),
            "LIFNeuronTorch": kind("LIFNeuronTorch", tau_mem=0.01),
            "aLIFTorch": kind("aLIFTorch"),
            "LIFTorch with bias": lambda shape: modules.LIFTorch(shape[0], bias=torch.rand(shape[0]) * 0.05, dt=1e-3),
            "LIFTorch of one": kind("LIFTorch", tau_mem=0.02, max_spikes_per_dt=1),
            "LIFBitshiftTorch": kind("LIFBitshiftTorch", tau_mem=0.02),
            "two synapses": two_synapses,
            "LIFTorch of seven": kind("LIFTorch", tau_mem=0.02, max_spikes_per_dt=7),
        }

    def recurrent(self, rng: Rng, size: int) -> nn.Module:
        from rockpool.nn.modules import torch as modules

        weights = torch.round(32 * torch.rand(size, size)) / 512
        name = str(rng.choice(["LIFTorch", "aLIFTorch", "LIFBitshiftTorch"]))
        self.used.append(f"recurrent {name}")
        return getattr(modules, name)(size, has_rec=True, w_rec=weights, dt=1e-3)

    def fire(self, neurons: Any, x: torch.Tensor) -> torch.Tensor:
        return neurons(x)[0]


class Doubled(nn.Module):
    """Both inputs of neurons with two synapses, next to each other."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.repeat_interleave(x, 2, dim=-1)


class SpikingJelly(Frame):
    forms = ("tick", "loop", "all")

    def layer(self, kind: str, *sizes: Any, **named: Any) -> Any:
        from spikingjelly.activation_based import layer

        return getattr(layer, kind)(*sizes, **named)

    def takes(self, block: str, kind: str, form: str) -> bool:
        functions = ("Selected", "ConcatenatedSpikes") if form == "all" else ()
        return block not in functions and super().takes(block, kind, form)

    def finish(self, network: nn.Module) -> nn.Module:
        from spikingjelly.activation_based import functional

        if self.form == "all":
            functional.set_step_mode(network, "m")
        return network

    def makers(self) -> dict[str, Maker]:
        from spikingjelly.activation_based import neuron

        def kind(name: str, **named: Any) -> Maker:
            return lambda shape: getattr(neuron, name)(**named)

        return {
            "LIFNode": kind("LIFNode", tau=2.0),
            "LIFNode without decay": kind("LIFNode", tau=2.5, decay_input=False, v_reset=-0.2),
            "IFNode": kind("IFNode", v_threshold=2.0),
            "soft LIFNode": kind("LIFNode", tau=3.0, v_reset=None),
            "ParametricLIFNode": kind("ParametricLIFNode", init_tau=2.5),
            "QIFNode": kind("QIFNode"),
            "CUBALIFNode": kind("CUBALIFNode"),
            "EIFNode": kind("EIFNode"),
            "KLIFNode": kind("KLIFNode", v_reset=0.0),
            "IzhikevichNode": kind("IzhikevichNode"),
            "ComplementaryLIFNode": kind("ComplementaryLIFNode"),
            "SimpleLIFNode": kind("SimpleLIFNode", tau=2.5, decay_input=True),
            "soft KLIFNode": kind("KLIFNode", v_reset=None, scale_reset=True),
            "SimpleIFNode": kind("SimpleIFNode", v_reset=None),
        }

    def recurrent(self, rng: Rng, size: int) -> nn.Module:
        from spikingjelly.activation_based import layer, neuron

        kind = str(rng.choice(["LinearRecurrentContainer", "ElementWiseRecurrentContainer"]))
        self.used.append(kind)
        inner = neuron.LIFNode(tau=2.0)
        if kind.startswith("Linear"):
            made = layer.LinearRecurrentContainer(inner, size, size)
            made.rc.weight.data = torch.eye(size, 2 * size) + torch.round(16 * torch.rand(size, 2 * size)) / 64
            return made
        return layer.ElementWiseRecurrentContainer(inner, lambda x, y: x + y)


FRAMES: dict[str, type[Frame]] = {
    "snntorch": SnnTorch,
    "norse": Norse,
    "sinabs": Sinabs,
    "rockpool": Rockpool,
    "spikingjelly": SpikingJelly,
}
