// RUN: exits 1 nopt %s -p 'ntensor-relay-delays{max-delay=1},ntensor-check-device{device="%root/lit-tests/tools/inputs/refractory.json"}' 2>&1 | filecheck %s

// The only neuron of the chip has a refractory period, so it cannot relay a second spike.
// CHECK:      error[LEG069]: no neuron of asic/refractory passes spikes on
// CHECK-NEXT:   at: ntensor.neuron "late.relay1"
// CHECK-NEXT:   expected: a neuron that fires in each tick in which a weight arrives, and in no other (asic/refractory, neuron.updates)
// CHECK-NEXT:   found: 2 added populations: late.relay1, late.relay2
ntensor.network @relayed("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000000} {
  %y = ntensor.delay "late" %x {ticks = #nopt.array<[3, 3] : tensor<2xi64>>} : tensor<2xi1>
  ntensor.output %y : tensor<2xi1>
}
