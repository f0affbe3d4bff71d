// A spike of the weight 2 leaves 1 for this tick and 1 for the next one, which the synapse to itself removes.
// RUN: nopt %s -p 'ntensor-relay-delays{max-delay=1},ntensor-map-shift-relays' | filecheck %s
// CHECK:       ntensor.sparse_linear "late.relay1.in" %{{.*}} {weight = #nopt.array<[2, 2] : tensor<2xi16>>
// CHECK:       ntensor.sparse_linear "late.relay1.self" %{{.*}} {weight = #nopt.array<[-1, -1] : tensor<2xi16>>
// CHECK:       ntensor.neuron "late.relay1" @xylo_out(
// CHECK:       ntensor.delay "late.relay1.back"
ntensor.network @n("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000000, machine.device = "xylo/audio2"} {
  %y = ntensor.delay "late" %x {ticks = #nopt.array<[2, 2] : tensor<2xi64>>} : tensor<2xi1>
  ntensor.output %y : tensor<2xi1>
}
