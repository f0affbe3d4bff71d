// RUN: nopt %S/../delays/ntensor_clamp_delays-errors.mlir -p 'ntensor-relay-delays{max-delay=1}' | filecheck %s

// The smallest maximum is one tick: 40 ticks become 39 relays.
// CHECK: ntensor.neuron "in.relay39"
