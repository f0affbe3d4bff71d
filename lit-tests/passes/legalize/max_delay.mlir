// RUN: nopt %S/ntensor_clamp_delays-errors.mlir -p 'ntensor-relay-delays{most=1}' | filecheck %s

// One tick is the least that is taken: 40 ticks are 39 relays on the way.
// CHECK: ntensor.neuron "in.relay39"
