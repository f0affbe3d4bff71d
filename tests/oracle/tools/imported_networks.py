"""Networks of the frameworks in `nopt import`: python imported_networks.py FRAMEWORK prints one line of JSON for each.

Runs in the environment `frameworks`, which contains nopt. Every network is a function; `RUNS` and `REFUSALS` hold the input of its comparison, and
what has to be found.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from typing import Any

import torch

import nopt
from nopt.core.diagnostics import Diagnostics

Made = Callable[[], torch.nn.Module]
RUNS: dict[str, dict[str, tuple[Made, dict[str, Any], dict[str, Any]]]] = {}
"""Networks of each framework with the arguments of the import, and the choices that it has to find."""
REFUSALS: dict[str, dict[str, tuple[Made, dict[str, Any], str]]] = {}
"""Networks that are refused, with the code."""


def imported(framework: str, choices: dict[str, Any] | None = None, **arguments: Any) -> Callable[[Made], Made]:
    def register(made: Made) -> Made:
        RUNS.setdefault(framework, {})[made.__name__] = made, arguments, choices or {}
        return made

    return register


def refused(framework: str, code: str, **arguments: Any) -> Callable[[Made], Made]:
    def register(made: Made) -> Made:
        REFUSALS.setdefault(framework, {})[made.__name__] = made, arguments, code
        return made

    return register


def dense(inputs: int, outputs: int, gain: float, *, bias: bool = True) -> torch.nn.Linear:
    """Returns a layer whose weights are mostly positive, so that neurons after it are active."""
    layer = torch.nn.Linear(inputs, outputs, bias=bias)
    layer.weight.data = (torch.rand(outputs, inputs) - 0.25) * gain / inputs
    return layer


def convolution(inputs: int, outputs: int, gain: float, **arguments: Any) -> torch.nn.Conv2d:
    layer = torch.nn.Conv2d(inputs, outputs, 3, **arguments)
    layer.weight.data = (torch.rand_like(layer.weight) - 0.25) * gain / (9 * inputs)
    return layer


# ---- snnTorch


@imported("snntorch", {"reset": "subtract_next"})
def hidden_states() -> torch.nn.Module:
    import snntorch as snn

    return torch.nn.Sequential(
        dense(16, 12, 12),
        snn.Leaky(0.9, init_hidden=True),
        dense(12, 4, 8),
        snn.Leaky(0.8, init_hidden=True, output=True),
    )


@imported("snntorch", {"reset": "zero"})
def learned_decays() -> torch.nn.Module:
    import snntorch as snn

    neuron = {"reset_mechanism": "zero", "reset_delay": False, "init_hidden": True}
    first = snn.Leaky(torch.rand(12) * 0.5 + 0.4, learn_beta=True, threshold=torch.rand(12) + 0.5, **neuron)
    return torch.nn.Sequential(dense(16, 12, 12), first, dense(12, 4, 8), snn.Synaptic(0.6, 0.8, **neuron))


@imported("snntorch", {"reset": "zero_next"})
def delayed_zero() -> torch.nn.Module:
    import snntorch as snn

    return torch.nn.Sequential(dense(16, 12, 20), snn.Leaky(0.9, init_hidden=True, reset_mechanism="zero"))


@imported("snntorch", {"reset": "subtract_next"}, shape=(1, 8, 8), input="poisson:0.4,ticks=40,samples=3")
def pools_and_recurrence() -> torch.nn.Module:
    import snntorch as snn

    recurrent = snn.RLeaky(beta=0.8, linear_features=5, init_hidden=True, output=True)
    recurrent.recurrent.weight.data *= 0.5
    return torch.nn.Sequential(
        convolution(1, 4, 14, bias=False),
        snn.Leaky(0.9, init_hidden=True),
        torch.nn.AvgPool2d(2, padding=1),
        torch.nn.Flatten(),
        torch.nn.Dropout(0.5),
        dense(64, 5, 24),
        recurrent,
    )


@imported("snntorch", {"reset": "subtract_next"})
def one_to_one_recurrence() -> torch.nn.Module:
    import snntorch as snn

    neuron = snn.RSynaptic(alpha=0.5, beta=0.8, V=torch.rand(6) - 0.5, all_to_all=False, init_hidden=True)
    return torch.nn.Sequential(dense(16, 6, 10), neuron)


class ExplicitStates(torch.nn.Module):
    """The form of snnTorch's tutorials: the states are arguments, and the network loops over ticks."""

    def __init__(self, ticks: int | None = None):
        import snntorch as snn

        super().__init__()
        self.ticks = ticks
        self.fc1, self.lif1 = dense(16, 12, 12), snn.Leaky(0.9)
        self.fc2, self.lif2 = dense(12, 4, 8), snn.Leaky(0.8)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        mem1, mem2 = self.lif1.init_leaky(), self.lif2.init_leaky()
        spikes = []
        for tick in range(self.ticks or x.size(0)):
            spk1, mem1 = self.lif1(self.fc1(x if self.ticks else x[tick]), mem1)
            spk2, mem2 = self.lif2(self.fc2(spk1), mem2)
            spikes.append(spk2)
        return torch.stack(spikes), mem2


imported("snntorch", {"reset": "subtract_next"})(ExplicitStates)


@imported("snntorch", {"reset": "subtract_next"}, input="poisson:0.5,samples=5")
def constant_input() -> torch.nn.Module:
    return ExplicitStates(ticks=25)


@imported("snntorch", {"reset": "subtract_next", "options_at": "3.reset=none"})
def membrane_output() -> torch.nn.Module:
    import snntorch as snn

    last = snn.Leaky(0.8, init_hidden=True, output=True, reset_mechanism="none")
    return torch.nn.Sequential(dense(16, 12, 12), snn.Leaky(0.9, init_hidden=True), dense(12, 4, 8), last)


@imported("snntorch", shape=(1, 8, 8))
def max_pool() -> torch.nn.Module:
    import snntorch as snn

    return torch.nn.Sequential(convolution(1, 4, 14), torch.nn.MaxPool2d(2), snn.Leaky(0.9, init_hidden=True))


@imported("sinabs", shape=(2, 6, 6))
def layers_that_nir_lacks() -> torch.nn.Module:
    """Max pools of spikes and of values, a transposed convolution, and upsampling in both modes."""
    import sinabs.layers as sl

    def neurons() -> torch.nn.Module:
        return sl.IAFSqueeze(batch_size=1)

    back = torch.nn.ConvTranspose2d(4, 3, 3, stride=2, padding=1, output_padding=1)
    back.weight.data = torch.rand_like(back.weight) * 0.2
    network = torch.nn.Sequential(
        *(convolution(2, 4, 14, padding=1), neurons(), torch.nn.MaxPool2d(2), back, neurons()),
        *(torch.nn.Upsample(scale_factor=2), convolution(3, 2, 14), torch.nn.MaxPool2d(3, 2, 1), neurons()),
        *(torch.nn.Upsample(scale_factor=2, mode="bilinear"), neurons()),
    )
    for numbers in network.parameters():  # sums of these are exact in f32, in every order that a processor may take
        numbers.data = torch.round(256 * numbers.data) / 256
    return network


@imported("snntorch", shape=(1, 8, 8))
def functions_between_layers() -> torch.nn.Module:
    """A user's own class, with a normalisation, a function that flattens, and explicit states in a loop over ticks."""
    import snntorch as snn

    class Convolutional(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv, self.bn, self.lif1 = convolution(1, 4, 8), torch.nn.BatchNorm2d(4), snn.Leaky(0.9)
            self.bn.running_var.fill_(0.3)
            self.bn.bias.data.fill_(0.1)
            self.fc, self.lif2 = dense(144, 6, 20), snn.RLeaky(beta=0.8, linear_features=6)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            mem1 = self.lif1.init_leaky()
            spk2, mem2 = self.lif2.init_rleaky()
            spikes = []
            for tick in range(x.size(0)):
                spk1, mem1 = self.lif1(self.bn(self.conv(x[tick])), mem1)
                spk2, mem2 = self.lif2(self.fc(spk1.view(spk1.size(0), -1)), spk2, mem2)
                spikes.append(spk2)
            return torch.stack(spikes)

    return Convolutional()


@imported("snntorch", {"reset": "subtract_next"})
def skip_connection() -> torch.nn.Module:
    import snntorch as snn

    class Residual(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc1, self.lif1 = dense(16, 12, 12), snn.Leaky(0.9, init_hidden=True)
            self.fc2, self.lif2 = dense(12, 12, 8), snn.Leaky(0.9, init_hidden=True)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            x = self.lif1(self.fc1(x))
            return self.lif2(self.fc2(x) + x)

    return Residual()


@refused("snntorch", "IMP009")
def lateral_inhibition() -> torch.nn.Module:
    import snntorch as snn

    return torch.nn.Sequential(dense(16, 12, 12), snn.Leaky(0.9, init_hidden=True, inhibition=True))


# ---- Norse


@imported("norse", {"dt": "1ms", "reset": "value"}, shape=(1, 8, 8), input="poisson:0.4,ticks=60,samples=3")
def cells_with_pools() -> torch.nn.Module:
    from norse.torch import SequentialState
    from norse.torch.functional.lif import LIFParameters
    from norse.torch.functional.lif_box import LIFBoxParameters
    from norse.torch.module.lif import LIFCell
    from norse.torch.module.lif_box import LIFBoxCell

    slow = LIFParameters(tau_mem_inv=torch.tensor(50.0), v_reset=torch.tensor(-0.2))
    box = LIFBoxParameters(tau_mem_inv=torch.tensor(80.0), v_reset=torch.tensor(0.1))
    return SequentialState(
        convolution(1, 3, 100, bias=False),
        LIFCell(slow),
        torch.nn.AvgPool2d(2),
        torch.nn.Flatten(),
        dense(27, 6, 200),
        LIFBoxCell(box),
    )


@imported("norse", {"dt": "500us", "reset": "subtract"})
def subtraction_and_leaky_output() -> torch.nn.Module:
    from norse.torch import SequentialState
    from norse.torch.functional.lif_box import LIFBoxParameters
    from norse.torch.functional.reset import reset_subtract
    from norse.torch.module.leaky_integrator_box import LIBoxCell
    from norse.torch.module.lif_box import LIFBoxCell

    cell = LIFBoxCell(LIFBoxParameters(reset_method=reset_subtract), dt=5e-4)
    return SequentialState(dense(16, 12, 150), cell, dense(12, 4, 40), LIBoxCell(dt=5e-4))


@imported("norse", {"reset": "value"})
def integrators() -> torch.nn.Module:
    from norse.torch import SequentialState
    from norse.torch.functional.iaf import IAFParameters
    from norse.torch.module.iaf import IAFCell

    return SequentialState(dense(16, 12, 8), IAFCell(IAFParameters(v_reset=torch.tensor(-0.3)), dt=1e-3))


@imported("norse", {"reset": "value"})
def all_ticks_at_once() -> torch.nn.Module:
    from norse.torch import LIF, LIFParameters, SequentialState

    first = LIF(p=LIFParameters(tau_mem_inv=torch.as_tensor(1 / 12e-3), v_th=torch.as_tensor(0.4)))
    return SequentialState(dense(16, 12, 40), first, dense(12, 4, 100), LIF())


@imported("norse", {"reset": "value"}, shape=(1, 8, 8))
def lifted_layers_with_readout() -> torch.nn.Module:
    from norse.torch import LI, LIF, LIFParameters, Lift, LIParameters, SequentialState

    first = LIF(p=LIFParameters(tau_mem_inv=torch.as_tensor(1 / 12e-3), v_th=torch.as_tensor(0.4)))
    last = LI(p=LIParameters(tau_syn_inv=torch.as_tensor(1 / 4e-3), v_leak=torch.as_tensor(0.1)))
    return SequentialState(Lift(convolution(1, 3, 40)), first, Lift(torch.nn.Flatten()), dense(108, 4, 10), last)


@refused("norse", "IMP021", dt="0.1ms")
def other_time_step() -> torch.nn.Module:
    return integrators()


# ---- sinabs


@imported(
    "sinabs",
    {"reset": "subtract", "options": "spike_fn=multi,min_v_mem=threshold"},
    shape=(1, 8, 8),
    input="poisson:0.4,ticks=40,samples=3",
)
def sum_pools() -> torch.nn.Module:
    from sinabs.layers import IAFSqueeze, SumPool2d

    def iaf() -> torch.nn.Module:
        return IAFSqueeze(batch_size=1, min_v_mem=-1.0)

    return torch.nn.Sequential(convolution(1, 4, 12), iaf(), SumPool2d(2), torch.nn.Flatten(), dense(36, 5, 8), iaf())


@imported("sinabs", {"reset": "zero", "options": "norm_input=no,spike_fn=single,min_v_mem=none"})
def single_spikes() -> torch.nn.Module:
    from sinabs.activation import MembraneReset, SingleSpike
    from sinabs.layers import LIF

    named = {"norm_input": False, "spike_fn": SingleSpike, "reset_fn": MembraneReset()}
    return torch.nn.Sequential(
        dense(16, 12, 10), LIF(tau_mem=20.0, **named), dense(12, 4, 6), LIF(tau_mem=8.0, **named)
    )


@imported("sinabs", {"reset": "subtract"})
def leaky_output() -> torch.nn.Module:
    from sinabs.layers import LIF, ExpLeak

    first, last = LIF(tau_mem=torch.rand(12) * 10 + 5, norm_input=False), ExpLeak(tau_mem=12.0, norm_input=False)
    return torch.nn.Sequential(dense(16, 12, 10), first, dense(12, 4, 6), last)


@imported("sinabs", {"options_at": "3.norm_input=yes,3.spike_fn=single"})
def layers_with_own_rules() -> torch.nn.Module:
    from sinabs.activation import SingleSpike
    from sinabs.layers import LIF

    first, last = LIF(tau_mem=20.0, norm_input=False), LIF(tau_mem=8.0, norm_input=True, spike_fn=SingleSpike)
    return torch.nn.Sequential(dense(16, 12, 10), first, dense(12, 4, 40), last)


@refused("norse", "IMP010")
def two_time_steps() -> torch.nn.Module:
    from norse.torch import LIFCell, SequentialState

    return SequentialState(dense(16, 12, 40), LIFCell(dt=1e-3), dense(12, 4, 40), LIFCell(dt=5e-4))


# ---- Rockpool


def linear(inputs: int, outputs: int, gain: float, **named: Any) -> torch.nn.Module:
    from rockpool.nn.modules.torch import LinearTorch

    return LinearTorch((inputs, outputs), weight=(torch.rand(inputs, outputs) - 0.25) * gain / inputs, **named)


@imported("rockpool", {"dt": "1ms"})
def biases_of_neurons() -> torch.nn.Module:
    from rockpool.nn.combinators import Sequential
    from rockpool.nn.modules.torch import LIFNeuronTorch, LIFTorch

    first = LIFTorch(16, tau_mem=0.02, tau_syn=0.005, bias=torch.rand(16) * 0.02, dt=1e-3)
    last = LIFNeuronTorch(4, tau_mem=0.01, bias=torch.rand(4) * 0.1, dt=1e-3)
    return Sequential(linear(8, 16, 2, has_bias=False), first, linear(16, 4, 3, bias=torch.rand(4) * 0.05), last)


@imported("rockpool", {"dt": "500us"})
def exponential_output() -> torch.nn.Module:
    from rockpool.nn.combinators import Sequential
    from rockpool.nn.modules.torch import ExpSynTorch, LIFTorch

    first = LIFTorch(16, tau_mem=torch.rand(16) * 0.01 + 5e-3, dt=5e-4)
    return Sequential(
        linear(8, 16, 2, has_bias=False), first, linear(16, 4, 1, has_bias=False), ExpSynTorch(4, dt=5e-4)
    )


@refused("rockpool", "IMP009")
def membrane_noise() -> torch.nn.Module:
    from rockpool.nn.combinators import Sequential
    from rockpool.nn.modules.torch import LIFTorch

    return Sequential(linear(8, 16, 2, has_bias=False), LIFTorch(16, noise_std=0.1, dt=1e-3))


# ---- SpikingJelly


@imported("spikingjelly", {"reset": "subtract"}, shape=(1, 8, 8), input="poisson:0.5,ticks=40,samples=3")
def soft_reset() -> torch.nn.Module:
    from spikingjelly.activation_based import layer, neuron

    return torch.nn.Sequential(
        convolution(1, 4, 30, bias=False),
        layer.BatchNorm2d(4),
        neuron.LIFNode(tau=3.0, v_reset=None),
        layer.AvgPool2d(2),
        layer.Flatten(),
        layer.Dropout(0.5),
        dense(36, 5, 10),
        neuron.IFNode(v_reset=None),
    )


@imported("spikingjelly", {"reset": "value", "dt": "100us"}, dt="0.1ms")
def many_ticks_at_once() -> torch.nn.Module:
    from spikingjelly.activation_based import functional, neuron

    first = neuron.LIFNode(tau=2.5, decay_input=False, v_reset=-0.2, step_mode="m")
    network = torch.nn.Sequential(dense(16, 12, 12), first, dense(12, 5, 8), neuron.ParametricLIFNode(init_tau=2.0))
    functional.set_step_mode(network, "m")
    return network


@imported("spikingjelly", {"reset": "value"})
def current_based() -> torch.nn.Module:
    from spikingjelly.activation_based import neuron

    return torch.nn.Sequential(dense(16, 12, 4), neuron.CUBALIFNode(), dense(12, 5, 3), neuron.IFNode(v_threshold=0.5))


@imported("spikingjelly", {"reset": "value", "options_at": "3.reset=subtract"})
def two_resets() -> torch.nn.Module:
    from spikingjelly.activation_based import neuron

    return torch.nn.Sequential(dense(16, 12, 12), neuron.IFNode(), dense(12, 5, 8), neuron.IFNode(v_reset=None))


@refused("spikingjelly", "IMP008")
def gated_neuron() -> torch.nn.Module:
    from spikingjelly.activation_based import neuron

    return torch.nn.Sequential(dense(16, 12, 12), neuron.GatedLIFNode(T=80, inplane=12))


@refused("sinabs", "IMP009")
def recurrence_of_several_layers() -> torch.nn.Module:
    from sinabs.layers import LIFRecurrent

    inner = torch.nn.Sequential(torch.nn.Linear(12, 6), torch.nn.Linear(6, 12))
    return torch.nn.Sequential(dense(16, 12, 10), LIFRecurrent(tau_mem=10.0, rec_connect=inner))


def run(made: Made, arguments: dict[str, Any], choices: dict[str, Any]) -> dict[str, Any]:
    """Imports a network. Returns the findings, and what is not as expected."""
    torch.manual_seed(0)
    found = Diagnostics()
    given = {"input": "poisson:0.4,ticks=80,samples=4"} | arguments
    try:
        result = nopt.import_network(made(), diagnostics=found, **given)
    except nopt.Refused as refusal:
        return {"codes": [str(one.code) for one in refusal.findings], "text": [str(one) for one in refusal.findings]}
    wrong = {name: result.choices.get(name) for name, value in choices.items() if result.choices.get(name) != value}
    codes = [str(one.code) for one in found.findings]
    return {
        "codes": codes,
        "equal": result.equal,
        "layers": len(result.layers),
        "wrong": wrong,
        "text": list(map(str, found.findings)),
    }


def main(framework: str) -> None:
    warnings.simplefilter("ignore")
    for name, (made, arguments, choices) in RUNS[framework].items():
        print(json.dumps({"network": name, **run(made, arguments, choices)}), flush=True)
    for name, (made, arguments, code) in REFUSALS.get(framework, {}).items():
        print(json.dumps({"network": name, "expected": code, **run(made, arguments, {})}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
