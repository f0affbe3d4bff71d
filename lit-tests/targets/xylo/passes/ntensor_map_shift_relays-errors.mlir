// Another device has no such neuron.
// RUN: mutate 's#xylo/audio2#asic/edge#' %S/ntensor_map_shift_relays.mlir | not nopt - -p 'ntensor-relay-delays{max-delay=1},ntensor-map-shift-relays' 2>&1 | filecheck %s
// CHECK:      error[XYL018]: the device has no neuron that relays with a synapse to itself
// CHECK-NEXT:   at: ntensor.neuron "late.relay1"
// CHECK-NEXT:   expected: the neuron xylo_out
// CHECK:        help: nopt - -p 'ntensor-relay-delays{max-delay=1}'
