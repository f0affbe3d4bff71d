"""Networks with sums, shared layers, several inputs, recurrent cells and neurons with equations of their own: python imported_layers.py FRAMEWORK.

The output is that of `imported_networks.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import imported_networks as networks
import torch
from imported_networks import convolution, dense, imported, linear, refused
from torch import nn
from torch.nn import functional

networks.RUNS.clear()
networks.REFUSALS.clear()


def define(framework: str, name: str, made: Callable[[], nn.Module], **arguments: Any) -> None:
    """Registers a network that has to be imported."""
    networks.RUNS.setdefault(framework, {})[name] = made, arguments, {}


# ---- snnTorch


@imported("snntorch")
class Concatenation(nn.Module):
    """A concatenation of two layers, in a loop over ticks."""

    def __init__(self) -> None:
        import snntorch as snn

        super().__init__()
        self.fc1, self.lif1 = dense(16, 12, 12), snn.Leaky(0.9)
        self.fc2, self.lif2 = dense(16, 6, 10), snn.Leaky(0.8)
        self.fc3, self.lif3 = dense(18, 5, 8), snn.Leaky(0.7)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        mem1, mem2, mem3 = (one.init_leaky() for one in (self.lif1, self.lif2, self.lif3))
        spikes = []
        for tick in range(x.size(0)):
            a, mem1 = self.lif1(self.fc1(x[tick]), mem1)
            b, mem2 = self.lif2(self.fc2(x[tick]), mem2)
            c, mem3 = self.lif3(self.fc3(torch.cat([a, b], 1)), mem3)
            spikes.append(c)
        return torch.stack(spikes)


@imported("snntorch")
class SharedLayers(nn.Module):
    """A linear layer and neurons with explicit states, both called twice in a tick."""

    def __init__(self) -> None:
        import snntorch as snn

        super().__init__()
        self.fc1, self.lif1 = dense(16, 12, 12), snn.Leaky(0.9)
        self.fc2, self.lif2 = dense(24, 5, 8), snn.Leaky(0.8)

    def forward(self, x: torch.Tensor, state: Any = None) -> tuple[torch.Tensor, Any]:
        mem1, mem2, mem3 = state or (self.lif1.init_leaky(), self.lif1.init_leaky(), self.lif2.init_leaky())
        a, mem1 = self.lif1(self.fc1(x), mem1)
        b, mem2 = self.lif1(self.fc1(0.5 * x), mem2)
        c, mem3 = self.lif2(self.fc2(torch.cat([a, b], 1)), mem3)
        return c, (mem1, mem2, mem3)


@imported("snntorch", shape={"x": (16,), "y": (8,)})
class TwoInputsAndOutputs(nn.Module):
    def __init__(self) -> None:
        import snntorch as snn

        super().__init__()
        self.fc1, self.fc2, self.lif1 = dense(16, 12, 12), dense(8, 12, 6), snn.Leaky(0.9, init_hidden=True)
        self.fc3, self.lif2 = dense(12, 4, 8), snn.Leaky(0.8, init_hidden=True)
        self.fc4, self.lif3 = dense(12, 3, 8), snn.Leaky(0.8, init_hidden=True)

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.lif1(self.fc1(x) - 0.5 * self.fc2(y))
        return self.lif2(self.fc3(hidden)), self.lif3(self.fc4(hidden))


@imported("snntorch", shape=(2, 8, 8))
class ConcatenatedMaps(nn.Module):
    """Maps of neurons and of the input, functional pools on values, padding `same`."""

    def __init__(self) -> None:
        import snntorch as snn

        super().__init__()
        self.conv1, self.lif1 = convolution(2, 4, 14, padding="same"), snn.Leaky(0.9, init_hidden=True)
        self.conv2, self.lif2 = convolution(6, 3, 14, padding=1), snn.Leaky(0.8, init_hidden=True)
        self.fc, self.lif3 = dense(48, 7, 10), snn.Leaky(0.7, init_hidden=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        a = self.lif1(self.conv1(x))
        b = self.lif2(functional.max_pool2d(self.conv2(torch.cat([a, x], 1)), 2))
        return self.lif3(self.fc(b.flatten(1)))


def one_axis() -> nn.Module:
    import snntorch as snn

    layers = nn.Conv1d(2, 4, 3, padding=1), snn.Leaky(0.9, init_hidden=True), nn.AvgPool1d(2), nn.Flatten()
    layers[0].weight.data *= 4
    return nn.Sequential(*layers, dense(32, 5, 30), snn.Leaky(0.8, init_hidden=True))


def normalisations_and_pools() -> nn.Module:
    """Normalisations after neurons, an adaptive pool, and a padding."""
    import snntorch as snn

    maps, rows = nn.BatchNorm2d(3), nn.BatchNorm1d(12)
    for layer in (maps, rows):
        assert layer.running_var is not None
        layer.running_var.fill_(0.5)
        layer.bias.data.fill_(0.1)
    return nn.Sequential(
        *(convolution(2, 3, 14), snn.Leaky(0.9, init_hidden=True), maps, nn.AdaptiveAvgPool2d(3), nn.ZeroPad2d(1)),
        *(nn.Flatten(), dense(75, 12, 20), snn.Leaky(0.8, init_hidden=True), rows, dense(12, 5, 8)),
        snn.Leaky(0.7, init_hidden=True),
    )


def recurrent_maps() -> nn.Module:
    import snntorch as snn

    neuron = snn.RLeaky(0.9, conv2d_channels=4, kernel_size=3, init_hidden=True)
    return nn.Sequential(convolution(2, 4, 14, padding=1), neuron)


def spiking(kind: str, **named: Any) -> Callable[[], nn.Module]:
    """Returns a function that makes a layer of neurons of snnTorch after a linear layer."""

    def make() -> nn.Module:
        import snntorch as snn

        return nn.Sequential(dense(16, 12, 12), getattr(snn, kind)(init_hidden=True, **named))

    return make


define("snntorch", "one_axis", one_axis, shape=(2, 16))
define("snntorch", "normalisations_and_pools", normalisations_and_pools, shape=(2, 8, 8))
define("snntorch", "recurrent_maps", recurrent_maps, shape=(2, 8, 8))
define("snntorch", "alpha", spiking("Alpha", alpha=0.9, beta=0.8))
define("snntorch", "alpha_subtract", spiking("Alpha", alpha=0.9, beta=0.8, reset_mechanism="subtract"))
define("snntorch", "alpha_none", spiking("Alpha", alpha=0.9, beta=0.8, reset_mechanism="none"))
define("snntorch", "lapicque", spiking("Lapicque", beta=0.9))
define("snntorch", "lapicque_zero", spiking("Lapicque", R=2.0, C=4.0, reset_mechanism="zero"))
define("snntorch", "integrator", spiking("Leaky", beta=1.0))


@imported("snntorch")
class Rectified(SharedLayers):
    def forward(self, x: torch.Tensor, state: Any = None) -> tuple[torch.Tensor, Any]:
        return self.lif1(torch.relu(self.fc1(x)), state)


@refused("snntorch", "IMP041")
class Gated(SharedLayers):
    def forward(self, x: torch.Tensor, state: Any = None) -> tuple[torch.Tensor, Any]:
        current = self.fc1(x)
        return self.lif1(current * torch.sigmoid(current), state)


@refused("snntorch", "IMP042")
class SameNeurons(nn.Module):
    def __init__(self) -> None:
        import snntorch as snn

        super().__init__()
        self.fc, self.lif, self.end = (
            dense(16, 16, 12),
            snn.Leaky(0.9, init_hidden=True),
            snn.Leaky(0.9, init_hidden=True),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.end(self.lif(self.fc(self.lif(self.fc(x)))))


# ---- Norse


def cell(kind: str, *sizes: int, **named: Any) -> Callable[[], nn.Module]:
    """Returns a function that makes a layer of Norse after a linear layer."""

    def make() -> nn.Module:
        import norse.torch as norse
        from norse.torch.module import lif, lif_adex, lif_ex, lif_refrac, lsnn

        homes = (norse, lif, lif_adex, lif_ex, lif_refrac, lsnn)
        made = next(getattr(home, kind) for home in homes if hasattr(home, kind))
        return norse.SequentialState(dense(16, 12, 100), made(*sizes, **named))

    return make


for kind in ("LIFRecurrentCell", "LIFRecurrent", "LSNNRecurrentCell", "LIFRefracRecurrentCell"):
    define("norse", kind, cell(kind, 12, 12))
for kind in ("LSNNCell", "LSNN", "LIFAdExCell", "LIFExCell", "LIFRefracCell"):
    define("norse", kind, cell(kind))


@imported("norse")
def izhikevich() -> nn.Module:
    from norse.torch import IzhikevichCell, SequentialState
    from norse.torch.functional.izhikevich import tonic_spiking

    return SequentialState(dense(16, 12, 100), IzhikevichCell(tonic_spiking))


# ---- sinabs


def layer_of(kind: str, *, is_recurrent: bool = False, **named: Any) -> Callable[[], nn.Module]:
    """Returns a function that makes a layer of sinabs after a linear layer; values of `named` that are functions make theirs."""

    def make() -> nn.Module:
        import sinabs.layers as sl

        made = {name: value() if callable(value) else value for name, value in named.items()}
        if is_recurrent:
            made["rec_connect"] = dense(12, 12, 4)
        return nn.Sequential(dense(16, 12, 30), getattr(sl, kind)(**made))

    return make


def reset_to(value: float) -> Any:
    from sinabs.activation import MembraneReset

    return MembraneReset(value)


def subtract(value: float) -> Any:
    from sinabs.activation import MembraneSubtract

    return MembraneSubtract(value)


def seven_spikes() -> Any:
    from sinabs.activation import MaxSpike

    return MaxSpike(7)


define("sinabs", "synaptic_current", layer_of("LIF", tau_mem=10.0, tau_syn=5.0))
define("sinabs", "bound", layer_of("LIF", tau_mem=10.0, min_v_mem=-2.0))
define("sinabs", "seven", layer_of("LIF", tau_mem=10.0, spike_fn=seven_spikes))
define("sinabs", "subtracted_value", layer_of("LIF", tau_mem=10.0, reset_fn=lambda: subtract(0.7)))
define("sinabs", "reset_value", layer_of("LIF", tau_mem=10.0, reset_fn=lambda: reset_to(-0.3)))
define("sinabs", "adaptive", layer_of("ALIF", tau_mem=20.0, tau_adapt=30.0))
define("sinabs", "adaptive_current", layer_of("ALIF", tau_mem=20.0, tau_adapt=30.0, tau_syn=5.0))
define("sinabs", "recurrent", layer_of("LIFRecurrent", is_recurrent=True, tau_mem=10.0))
define("sinabs", "recurrent_integrator", layer_of("IAFRecurrent", is_recurrent=True))
define("sinabs", "recurrent_current", layer_of("LIFRecurrent", is_recurrent=True, tau_mem=10.0, tau_syn=5.0))


@imported("sinabs")
class Merged(nn.Module):
    def __init__(self) -> None:
        from sinabs.layers import LIF, Merge

        super().__init__()
        self.fc1, self.lif1 = dense(16, 12, 30), LIF(tau_mem=20.0)
        self.fc2, self.lif2 = dense(16, 12, 30), LIF(tau_mem=10.0)
        self.merge, self.fc3, self.lif3 = Merge(), dense(12, 5, 30), LIF(tau_mem=10.0)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.lif3(self.fc3(self.merge(self.lif1(self.fc1(x)), self.lif2(self.fc2(x)))))


# ---- Rockpool


def rockpool(kind: str, inputs: int = 12, **named: Any) -> Callable[[], nn.Module]:
    """Returns a function that makes a layer of Rockpool after a linear layer."""

    def make() -> nn.Module:
        from rockpool.nn import combinators
        from rockpool.nn.modules import torch as modules

        made = {name: value() if callable(value) else value for name, value in named.items()}
        shape = 12 if inputs == 12 else (inputs, 12)
        layer = getattr(modules, kind)(shape, dt=1e-3, **made)
        return combinators.Sequential(linear(16, inputs, 2, has_bias=False), layer)

    return make


define("rockpool", "recurrent", rockpool("LIFTorch", has_rec=True, w_rec=lambda: (torch.rand(12, 12) - 0.5) * 0.2))
define("rockpool", "two_synapses", rockpool("LIFTorch", 24, tau_syn=lambda: torch.tensor([[0.005, 0.02]] * 12)))
define("rockpool", "adaptive", rockpool("aLIFTorch"))
define("rockpool", "bitshift", rockpool("LIFBitshiftTorch"))


@imported("rockpool")
def residual() -> nn.Module:
    from rockpool.nn.combinators import Residual, Sequential
    from rockpool.nn.modules.torch import LIFTorch

    inner = Residual(linear(12, 12, 2, has_bias=False), LIFTorch(12, dt=1e-3))
    first = linear(16, 12, 2, has_bias=False), LIFTorch(12, dt=1e-3)
    return Sequential(*first, inner, linear(12, 4, 2, has_bias=False), LIFTorch(4, dt=1e-3))


# ---- SpikingJelly


def node(kind: str, **named: Any) -> Callable[[], nn.Module]:
    """Returns a function that makes a layer of SpikingJelly after a linear layer."""

    def make() -> nn.Module:
        from spikingjelly.activation_based import neuron

        return nn.Sequential(dense(16, 12, 12), getattr(neuron, kind)(**named))

    return make


for kind in ("QIFNode", "EIFNode", "IzhikevichNode"):
    define("spikingjelly", kind, node(kind))
    define("spikingjelly", f"{kind}_soft", node(kind, v_reset=None) if kind == "QIFNode" else node(kind, v_reset=-0.2))


@imported("spikingjelly", shape=(2, 8, 8))
def residual_blocks() -> nn.Module:
    from spikingjelly.activation_based import functional as steps
    from spikingjelly.activation_based import layer, neuron

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv1, self.bn = layer.Conv2d(4, 4, 3, padding=1, bias=False), layer.BatchNorm2d(4)
            self.conv2, self.node1 = layer.Conv2d(4, 4, 3, padding=1), neuron.IFNode(v_threshold=0.5)
            self.node2 = neuron.IFNode(v_threshold=0.5)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.node2(self.conv2(self.node1(self.bn(self.conv1(x))))) + x

    first = layer.Conv2d(2, 4, 3, padding=1), neuron.IFNode(v_threshold=0.3)
    last = layer.Flatten(), layer.Linear(64, 5), neuron.IFNode(v_threshold=0.2)
    network = nn.Sequential(*first, Block(), Block(), layer.MaxPool2d(2), *last)
    steps.set_step_mode(network, "m")
    return network


@imported("spikingjelly", shape=(2, 8, 8))
def groups_and_strides() -> nn.Module:
    from spikingjelly.activation_based import layer, neuron

    first = layer.Conv2d(2, 4, (3, 5), groups=2, stride=(1, 2))
    return nn.Sequential(first, neuron.LIFNode(tau=2.0, v_threshold=0.2))


if __name__ == "__main__":
    networks.main(sys.argv[1])
