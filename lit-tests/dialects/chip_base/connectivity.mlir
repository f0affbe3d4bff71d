// RUN: nopt %s -p 'ntensor-plan-cores{device="%S/../../passes/plan/inputs/small.json" set="core.neurons=4,synapse.bits=8"},convert-ntensor-to-machine' | filecheck %s

// Single synapses with delays of 1 to 4 ticks, into two slices of 3 neurons; the weight from 1 to 5 is 0, so it is not a synapse. Neurons
// that share a source are in one slice: 0, 2 and 4 read source 0, the others source 1.
// CHECK-LABEL: machine.graph @sparse
// The delays of an edge are those of its synapses: 4 and 1 from source 1, without that of the missing synapse, and 1, 2 and 1 from source 0.
// CHECK-DAG:     machine.edge "each" : "s/0" -> "q/{{[01]}}" {synapses = 2 : i64, axons = 1 : i64, activity = 1.000000e+00 : f64, delays = #nopt.array<[1, 4] : tensor<2xi64>>, sources = #nopt.array<[1] : tensor<1xi32>>}
// CHECK-DAG:     machine.edge "each" : "s/0" -> "q/{{[01]}}" {synapses = 3 : i64, axons = 1 : i64, activity = 1.000000e+00 : f64, delays = #nopt.array<[1, 2] : tensor<2xi64>>, sources = #nopt.array<[0] : tensor<1xi32>>}
// CHECK:       }
ntensor.update @lif <spike> inputs ["a"] states ["v"] params ["g"] derive {
^bb0(%dt: f64):
  %0 = arith.constant 1.0 : f64
  ntensor.derived %0 : f64
} initial {
^bb0(%g: !fixed.int<0, 15>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.wrap %0 : !fixed.int<0, 0> -> !fixed.int<-32768, 32767>
  ntensor.initial %1 : !fixed.int<-32768, 32767>
} step {
^bb0(%a: !fixed.int<-32768, 32767>, %v: !fixed.int<-32768, 32767>, %g: !fixed.int<0, 15>):
  %0 = fixed.constant 2 : !fixed.int<2, 2>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<2, 2>
  ntensor.emit %1, %a : i1, !fixed.int<-32768, 32767>
}
ntensor.network @sparse("s" %x: tensor<2xi1>) -> ("out": tensor<6xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.sparse_linear "each" %x {weight = #nopt.array<[1, 2, 3, 1, 2, 0] : tensor<6xi8>>, source = #nopt.array<[0, 0, 0, 1, 1, 1] : tensor<6xi32>>, target = #nopt.array<[0, 2, 4, 1, 3, 5] : tensor<6xi32>>, delay = #nopt.array<[1, 2, 1, 4, 1, 1] : tensor<6xi8>>} : tensor<2xi1> -> tensor<6xi16>
  %p = ntensor.neuron "q" @lif(%y) {params = {g = #nopt.array<1 : tensor<i8>>}, initial = {v = #nopt.array<0 : tensor<i16>>}} : (tensor<6xi16>) -> tensor<6xi1>
  ntensor.output %p : tensor<6xi1>
}
