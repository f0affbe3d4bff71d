"""The machine dialect: populations sliced into vertices that fit a core, the edges between them, their cores, and routes.

    machine.graph @net attributes {tick_ns = 1000000 : i64, stage = #machine.stage<routed>, machine.device = "asic/mesh"} {
      machine.input "input" : tensor<12xi1>
      machine.projection "fc1" from "input" {
      ^bb0(%x: tensor<12xi1>):
        %y = ntensor.linear "fc1" %x {weight = …} : tensor<12xi1> -> tensor<38xf32>
        machine.yield %y : tensor<38xf32>
      }
      machine.population "lif1" @lif adds [["fc1"]] {params = …, initial = …} : (tensor<38xf32>) -> tensor<38xi1>
      machine.output "output" of "lif1" : tensor<38xi1>
      machine.vertex "lif1/0" of "lif1" {box = #nopt.array<[[0, 20]] : tensor<1x2xi64>>, needs = {neurons = 20 : i64}, core = 3 : i64}
      machine.edge "fc1" : "input/0" -> "lif1/0" {synapses = 240 : i64, axons = 12 : i64, activity = 12.0 : f64, delays = …}
      machine.route "input/0" {links = #nopt.array<[[0, 0, 1, 0]] : tensor<1x4xi64>>, activity = #nopt.array<[12.0] : tensor<1xf64>>}
      machine.key "input/0" {key = 0 : i64, mask = 4294967280 : i64}
      machine.table 0 {key = #nopt.array<[0] : tensor<1xi64>>, mask = …, route = …}
    }

Ops refer to each other by name, not by SSA values, so that the number of ops is the number of vertices, edges and routes. The ops in
`parts.py` define the computation; those in `mapping.py` map it to cores. Each stage adds guarantees, which the
verifier checks:

| stage | guarantees |
| --- | --- |
| partitioned | vertices cover each population once and keep the limits of the device; edges are the synapses of the projections |
| placed | each vertex has a core that exists, works and is free; vertices that share a core keep its limits |
| routed | every edge is delivered: links exist in the topology, are used once, and lead from the source to the target; keys, where there are any, reach exactly the cores of their targets by the tables |

Source: the terms are those of PACMAN (Rowley et al., Frontiers in Neuroscience 13:231, 2019); the form is our own.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from ._counts import GraphCounts
from ._routes import first_processor, targets_of
from .graph import MACHINE_TABLED, GraphOp, Stage, StageAttr, verify_slices
from .mapping import EdgeOp, RouteOp, VertexOp, number_dictionary
from .parts import InputOp, OutputOp, PopulationOp, ProjectionOp, YieldOp, chain_of, size_of
from .tables import KeyOp, TableOp

__all__ = [
    "MACHINE",
    "MACHINE_TABLED",
    "EdgeOp",
    "GraphCounts",
    "GraphOp",
    "InputOp",
    "KeyOp",
    "OutputOp",
    "PopulationOp",
    "ProjectionOp",
    "RouteOp",
    "Stage",
    "StageAttr",
    "TableOp",
    "VertexOp",
    "YieldOp",
    "chain_of",
    "first_processor",
    "number_dictionary",
    "size_of",
    "targets_of",
    "verify_slices",
]

MACHINE = define_dialect("machine", globals())
