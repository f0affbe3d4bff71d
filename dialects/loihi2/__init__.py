"""The exit dialect of Loihi 1 and 2: neuro-cores with compartments, their configurations, synapses and axons.

    loihi2.chip @net attributes {tick_ns = 1000000 : i64, machine.device = #nopt.device<"loihi2/oheo_gulch", digest = …>} {
      loihi2.input "input/0" of "input" at 0 {index = [0, 1, …]} : tensor<12xi1> {
        loihi2.output_axons {neuron = [0, 1, …], core = [3, 3, …], axon = [0, 1, …]}
      }
      loihi2.neuro_core 3 {axons = 12, profiles = {du = [4095], dv = [163]}, thresholds = {vth = [25, 30]}} {
        loihi2.compartments "lif1/0" of "lif1" @loihi {profile = 0, threshold = [0, 1, …], registers = {bias = 0, e = 0}} : tensor<38xi1> {
          loihi2.dense "fc1" {format = "dense8", num_weight_bits = 8, sign_mode = mixed, weight_exp = -1, weight = […], delay = 0}
          loihi2.output_axons {neuron = [0, 1, …], core = [4, 4, …], axon = [0, 1, …]}
        }
      }
      loihi2.output "output" of "lif1" {delay = 0} : tensor<38xi1>
    }

In a tick, a core adds for each compartment the weights of the spikes that arrive on its input axons, updates the compartment, and sends its
spike to each of its output axons. The network between cores delivers a spike to the core that the axon names; no route is stored.

Source: Davies et al., Loihi, IEEE Micro 38:82 (2018); configurations and formats as in nengo-loihi 1.1.0, hardware/nxsdk_objects.py.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from .chip import LAYOUTS, ChipOp
from .cores import CompartmentsOp, InputOp, NeuroCoreOp, OutputAxonsOp, OutputOp
from .learning import LearningRuleAttr
from .synapses import DenseOp, Sign, SignModeAttr, SparseOp, SynapsesOp, lost_bits

__all__ = [
    "LAYOUTS",
    "LOIHI2",
    "ChipOp",
    "CompartmentsOp",
    "DenseOp",
    "InputOp",
    "LearningRuleAttr",
    "NeuroCoreOp",
    "OutputAxonsOp",
    "OutputOp",
    "Sign",
    "SignModeAttr",
    "SparseOp",
    "SynapsesOp",
    "lost_bits",
]

LOIHI2 = define_dialect("loihi2", globals())
