// RUN: nopt %s --split-input-file -p 'ntensor-relay-delays{max-delay=1},ntensor-map-relays{device="asic/edge"}' | filecheck %s --check-prefix=EDGE
// RUN: nopt %s --split-input-file -p 'ntensor-relay-delays{max-delay=1},ntensor-map-relays{device="asic/multi"}' | filecheck %s --check-prefix=MULTI
// RUN: nopt %s --split-input-file -p 'ntensor-relay-delays{max-delay=1},ntensor-map-relays{device="%root/lit-tests/tools/inputs/refractory.json"}' | filecheck %s --check-prefix=TIRED

// A relay is a neuron of the chip that keeps no state (k = 256) with the threshold 0: v = x > 0. Each event has a synapse.
// EDGE-NOT:   relay_spike
// EDGE-LABEL: ntensor.network @relayed
// EDGE-NEXT:    [[A:%\S+]] = ntensor.delay "late.delay1" %x {ticks = #nopt.array<[1, 1] : tensor<2xi64>>}
// EDGE-NEXT:    [[B:%\S+]] = ntensor.sparse_linear "late.relay1.in" [[A]] {weight = #nopt.array<[1, 1] : tensor<2xi8>>, source = #nopt.array<[0, 1] : tensor<2xi32>>, target = #nopt.array<[0, 1] : tensor<2xi32>>, quantized = #ntensor.quantized<4, #nopt.array<1.0 : tensor<f64>>>} : tensor<2xi1> -> tensor<2xi2>
// EDGE-NEXT:    [[C:%\S+]] = ntensor.neuron "late.relay1" @edge_lif.value([[B]]) {machine.added, params = {k = #nopt.array<256 : tensor<i64>>, vth = #nopt.array<0 : tensor<i64>>}, initial = {v = #nopt.array<0 : tensor<i64>>}}
// EDGE-NEXT:    ntensor.delay "late" [[C]]

// A device without neuron models supports every relay.
// MULTI-LABEL: ntensor.network @relayed
// MULTI:         ntensor.neuron "late.relay1" @relay_spike(

// A neuron with a refractory period cannot relay a second spike: the relay is unchanged, and refused when it is mapped.
// TIRED-LABEL: ntensor.network @relayed
// TIRED:         ntensor.neuron "late.relay1" @relay_spike(
ntensor.network @relayed("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000000} {
  %y = ntensor.delay "late" %x {ticks = #nopt.array<[2, 2] : tensor<2xi64>>} : tensor<2xi1>
  ntensor.output %y : tensor<2xi1>
}

// -----

// A neuron of the network that has the name of a relay is unchanged: it compares reals.
// EDGE-LABEL: ntensor.network @own
// EDGE:         ntensor.neuron "a" @relay_spike(
ntensor.update @relay_spike <spike> inputs ["a"] step {
^bb0(%a: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %a, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @own("in" %x: tensor<2xf64>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000000} {
  %a = ntensor.neuron "a" @relay_spike(%x) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %a : tensor<2xi1>
}
