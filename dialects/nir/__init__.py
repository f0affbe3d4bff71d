"""The nir dialect: the trained network, with one op for every primitive of the `nir` package.

A network is a graph of nodes in continuous time. Parameters keep NIR's names, shapes and number formats. A `nir.graph` is a graph
region: recurrence is use before definition. NIR adds the edges that enter a node; in the dialect that sum is an op (`nir.sum`).
Each op keeps its node name as a property, never as an SSA name. Signal kinds are element types: `i1` for spikes, `f32` for values.

Optional properties hold chip features that NIR lacks: `delays` of single synapses [s], `plasticity` and `transmission`.

    nir.graph @braille("input" %x: tensor<12xf32>) -> ("output": tensor<7xi1>) {
      %a = nir.affine "fc1" %x {weight = …, bias = …} : tensor<12xf32> -> tensor<38xf32>
      %r = nir.affine "lif1.w_rec" %z {…} : tensor<38xi1> -> tensor<38xf32>
      %s = nir.sum %a, %r : (tensor<38xf32>, tensor<38xf32>) -> tensor<38xf32>
      %z = nir.cuba_lif "lif1.lif" %s {tau_syn = …, tau_mem = …, …} : tensor<38xf32> -> tensor<38xi1>
      …
      nir.output %o : tensor<7xi1>
    }

Source: Pedersen et al., Nature Communications 15:8122 (2024); the `nir` package 1.0.8 for names and shapes.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from .graph import GraphOp, OutputOp, RepairAttr, SubgraphOp
from .node import NodeOp, integers, is_spike, is_value
from .populations import CubaLIFOp, CubaLIOp, IFOp, IOp, LIFOp, LIOp, NeuronOp, PopulationOp, ThresholdOp
from .synapses import (
    AffineOp,
    LinearOp,
    RuleAttr,
    ScaleOp,
    StdpAttr,
    SynapseOp,
    Transmission,
    TransmissionAttr,
    WeightedOp,
)
from .windows import (
    AvgPool2dOp,
    Conv1dOp,
    Conv2dOp,
    ConvolutionOp,
    ConvTranspose2dOp,
    MaxPool2dOp,
    PoolOp,
    SumPool2dOp,
    Upsample2dOp,
    WindowOp,
)
from .wiring import DelayOp, FlattenOp, IdentityOp, KeepingOp, ReshapeOp, SumOp

__all__ = [
    "NIR",
    "AffineOp",
    "AvgPool2dOp",
    "Conv1dOp",
    "Conv2dOp",
    "ConvTranspose2dOp",
    "ConvolutionOp",
    "CubaLIFOp",
    "CubaLIOp",
    "DelayOp",
    "FlattenOp",
    "GraphOp",
    "IFOp",
    "IOp",
    "IdentityOp",
    "KeepingOp",
    "LIFOp",
    "LIOp",
    "LinearOp",
    "MaxPool2dOp",
    "NeuronOp",
    "NodeOp",
    "OutputOp",
    "PoolOp",
    "PopulationOp",
    "RepairAttr",
    "ReshapeOp",
    "RuleAttr",
    "ScaleOp",
    "StdpAttr",
    "SubgraphOp",
    "SumOp",
    "SumPool2dOp",
    "SynapseOp",
    "ThresholdOp",
    "Transmission",
    "TransmissionAttr",
    "Upsample2dOp",
    "WeightedOp",
    "WindowOp",
    "integers",
    "is_spike",
    "is_value",
]

NIR = define_dialect("nir", globals())
