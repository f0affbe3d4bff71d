"""Networks whose forward keeps signals, and further kinds of neurons and functions: python imported_kinds.py FRAMEWORK.

The output is that of `imported_networks.py`.
"""

from __future__ import annotations

import sys
from typing import Any

import imported_networks as networks
import torch
from imported_networks import convolution, dense, imported, linear, refused
from torch import nn
from torch.nn import functional

networks.RUNS.clear()
networks.REFUSALS.clear()


# ---- snnTorch


@imported("snntorch", shape=(2, 8, 8))
class HandRecurrentMaps(nn.Module):
    """A convolution of the spikes of the tick before, in a loop over ticks."""

    def __init__(self) -> None:
        import snntorch as snn

        super().__init__()
        self.conv, self.back = convolution(2, 4, 14, padding=1), convolution(4, 4, 4, padding=1)
        self.lif, self.fc, self.end = snn.Leaky(0.9), dense(256, 5, 40), snn.Leaky(0.8)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        mem, last = self.lif.reset_mem(), self.end.reset_mem()
        spikes = torch.zeros(x.shape[1], 4, 8, 8)
        found, total = [], 0
        for image in x:
            spikes, mem = self.lif(self.conv(image) + self.back(spikes), mem)
            out, last = self.end(self.fc(torch.flatten(spikes, 1)), last)
            total = total + out
            found.append(out)
        return torch.stack(found) * 1.0


@imported("snntorch")
class HandNeurons(nn.Module):
    """Leaky neurons that the user writes, before neurons of the framework."""

    def __init__(self) -> None:
        import snntorch as snn

        super().__init__()
        self.fc1, self.fc2, self.lif = dense(16, 12, 6), dense(12, 5, 12), snn.Leaky(0.8, init_hidden=True)

    def forward(self, x: torch.Tensor, state: Any = None) -> tuple[torch.Tensor, Any]:
        v, z = state or (torch.zeros(len(x), 12), torch.zeros(len(x), 12))
        v = 0.75 * (v - z) + self.fc1(x)
        z = (v > 1.0).float()
        return self.lif(self.fc2(z)), (v, z)


@imported("snntorch")
class Counted(HandNeurons):
    """Accumulates its outputs, which no layer reads."""

    def forward(self, x: torch.Tensor, state: Any = None) -> tuple[torch.Tensor, Any]:
        total = torch.zeros(len(x), 5) if state is None else state
        spikes = self.lif(self.fc2(functional.hardtanh(self.fc1(x), 0.0, 1.0)))
        return spikes, total + spikes


@imported("snntorch")
class AttributeState(nn.Module):
    """Keeps its spikes in an attribute; the recurrent weights are called from the second tick on. The reset to 0 is that of neurons without recurrence."""

    def __init__(self) -> None:
        import snntorch as snn

        super().__init__()
        self.fc, self.back, self.before = dense(16, 12, 10), dense(12, 12, 3), None
        self.lif = snn.Leaky(0.9, init_hidden=True, reset_mechanism="zero")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        current = self.fc(x)
        if self.before is not None:
            current = current + self.back(self.before)
        self.before = self.lif(current)
        return self.before


@imported("snntorch")
class LayersBeforeTheLoop(HandNeurons):
    """Weights and factors for all ticks, before a loop with a signal that it keeps."""

    def forward(self, x: torch.Tensor, state: Any = None) -> torch.Tensor:
        current, spikes, found = self.fc2(self.fc1(2 * x) - 0.25), 0.0, []
        for tick in range(len(x)):
            spikes = self.lif(current[tick] - 0.5 * spikes)
            found.append(spikes)
        return torch.stack(found)


@imported("snntorch")
def graded() -> nn.Module:
    import snntorch as snn

    first = snn.Leaky(0.9, init_hidden=True, graded_spikes_factor=torch.rand(12) + 0.5)
    return nn.Sequential(dense(16, 12, 12), first, dense(12, 4, 8), snn.Leaky(0.8, init_hidden=True))


@imported("snntorch", shape=(2, 16))
def rows() -> nn.Module:
    import snntorch as snn

    conv = nn.Conv1d(2, 4, 3, padding="same")
    conv.weight.data *= 6
    first = conv, nn.MaxPool1d(2), snn.Leaky(0.9, init_hidden=True), nn.MaxPool1d(3, 1, 1)
    return nn.Sequential(
        *first, nn.Upsample(scale_factor=2), nn.Flatten(), dense(64, 5, 30), snn.Leaky(0.8, init_hidden=True)
    )


@refused("snntorch", "IMP041")
class StateAsInput(HandNeurons):
    """The membrane of a layer is the input of another."""

    def __init__(self) -> None:
        import snntorch as snn

        super().__init__()
        self.first = snn.Leaky(0.9)

    def forward(self, x: torch.Tensor, state: Any = None) -> tuple[torch.Tensor, Any]:
        _, mem = self.first(self.fc1(x), state)
        return self.lif(self.fc2(mem)), mem


@refused("snntorch", "IMP041")
class TwoTicksBefore(HandNeurons):
    def forward(self, x: torch.Tensor, state: Any = None) -> tuple[torch.Tensor, Any]:
        last, older = state or (torch.zeros(len(x), 12), torch.zeros(len(x), 12))
        current = functional.relu(self.fc1(x))
        return self.lif(self.fc2(current + older)), (current, last)


# ---- Norse


@imported("norse", shape=(2, 8, 8))
class NorseConvolutions(nn.Module):
    """Max pools, a residual block and a readout, with states in a list."""

    def __init__(self) -> None:
        import norse.torch as norse

        super().__init__()
        self.conv1, self.conv2 = convolution(2, 4, 100, padding=1), convolution(4, 4, 100, padding="same")
        self.lif1, self.lif2, self.fc, self.li = norse.LIFCell(), norse.LIFBoxCell(), dense(64, 5, 50), norse.LICell()

    def forward(self, x: torch.Tensor, state: Any = None) -> tuple[torch.Tensor, Any]:
        states = state or [None, None, None]
        a, states[0] = self.lif1(self.conv1(x), states[0])
        b, states[1] = self.lif2(self.conv2(a) + a, states[1])
        out, states[2] = self.li(self.fc(functional.max_pool2d(b, 2).flatten(1)), states[2])
        return out, states


@imported("norse")
def all_ticks_of_recurrent() -> nn.Module:
    from norse.torch import LIF, LIFRecurrent, SequentialState

    return SequentialState(dense(16, 12, 100), LIFRecurrent(12, 12), dense(12, 8, 100), LIF())


# ---- sinabs


@imported("sinabs", shape=(2, 8, 8))
def pools_of_values() -> nn.Module:
    from sinabs.layers import IAFSqueeze, LIFSqueeze

    first = convolution(2, 4, 14, padding=1), nn.MaxPool2d(2), IAFSqueeze(batch_size=1)
    return nn.Sequential(*first, nn.ReLU(), nn.Flatten(), dense(64, 5, 20), LIFSqueeze(tau_mem=10.0, batch_size=1))


@imported("sinabs")
class FeedbackLoop(nn.Module):
    """A recurrent connection that the user writes, in a loop over ticks."""

    def __init__(self) -> None:
        from sinabs.layers import LIF

        super().__init__()
        self.fc, self.back, self.lif = dense(16, 12, 20), dense(12, 12, 4), LIF(tau_mem=10.0, norm_input=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        spikes, found = torch.zeros(len(x), 1, 12), []
        for tick in range(x.shape[1]):
            spikes = self.lif(self.fc(x[:, tick : tick + 1]) + self.back(spikes))
            found.append(spikes)
        return torch.cat(found, 1)


@refused("sinabs", "IMP009")
class RecurrentInLoop(FeedbackLoop):
    def __init__(self) -> None:
        from sinabs.layers import LIFRecurrent

        super().__init__()
        self.lif = LIFRecurrent(tau_mem=10.0, rec_connect=dense(12, 12, 4))


# ---- Rockpool


@imported("rockpool")
def bounded() -> nn.Module:
    from rockpool.nn.combinators import Sequential
    from rockpool.nn.modules.torch import LIFTorch

    first = LIFTorch(12, dt=1e-3, max_spikes_per_dt=3)
    return Sequential(linear(16, 12, 4, has_bias=False), first, linear(12, 4, 2, has_bias=False), LIFTorch(4, dt=1e-3))


@imported("rockpool")
def recurrent_adaptive() -> nn.Module:
    from rockpool.nn.combinators import Sequential
    from rockpool.nn.modules.torch import aLIFTorch

    layer = aLIFTorch(12, has_rec=True, w_rec=(torch.rand(12, 12) - 0.5) * 0.2, dt=1e-3)
    return Sequential(linear(16, 12, 2, has_bias=False), layer)


@refused("rockpool", "IMP010")
def two_time_steps() -> nn.Module:
    from rockpool.nn.combinators import Sequential
    from rockpool.nn.modules.torch import LIFTorch

    return Sequential(linear(16, 12, 2), LIFTorch(12, dt=1e-3), linear(12, 4, 2), LIFTorch(4, dt=2e-3))


# ---- SpikingJelly


@imported("spikingjelly")
def recurrent_container() -> nn.Module:
    """A container of SpikingJelly that joins the input and the spikes of the tick before."""
    from spikingjelly.activation_based import layer, neuron

    cell = layer.LinearRecurrentContainer(neuron.IFNode(), 12, 12)
    cell.rc.weight.data = (torch.rand(12, 24) - 0.25) / 4
    return nn.Sequential(dense(16, 12, 12), cell, dense(12, 5, 8), neuron.LIFNode(tau=2.0))


@imported("spikingjelly")
def filters() -> nn.Module:
    from spikingjelly.activation_based import layer, neuron

    return nn.Sequential(
        dense(16, 12, 12),
        neuron.KLIFNode(),
        layer.SynapseFilter(tau=4.0),
        dense(12, 5, 8),
        neuron.ComplementaryLIFNode(),
    )


@imported("spikingjelly", shape=(2, 16))
def max_pool_of_rows() -> nn.Module:
    from spikingjelly.activation_based import functional as steps
    from spikingjelly.activation_based import layer, neuron

    conv = layer.Conv1d(2, 4, 3, padding=1)
    conv.weight.data *= 6
    network = nn.Sequential(
        conv,
        layer.MaxPool1d(2),
        neuron.LIFNode(tau=2.0),
        layer.Flatten(),
        layer.Linear(32, 5),
        neuron.IFNode(v_threshold=0.2),
    )
    steps.set_step_mode(network, "m")
    return network


if __name__ == "__main__":
    networks.main(sys.argv[1])
