// RUN: not nopt %S/inputs/net.mlir -p 'ntensor-keep-mapping{mapping="%S/inputs/earlier.json"},ntensor-plan-cores{device="%S/inputs/small.json" set="core.neurons=3"}' 2>&1 | filecheck %s --check-prefix=NEURONS
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-keep-mapping{mapping="%S/inputs/earlier.json"},ntensor-plan-cores{device="%S/inputs/small.json" set="core.neurons=4"}' -o /dev/null
// RUN: not nopt %S/inputs/net.mlir -p 'ntensor-keep-mapping{mapping="%S/inputs/earlier.json"},ntensor-plan-cores{device="%S/inputs/small.json" set="core.output_axons=3"}' 2>&1 | filecheck %s --check-prefix=AXONS
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-keep-mapping{mapping="%S/inputs/earlier.json"},ntensor-plan-cores{device="%S/inputs/small.json" set="core.output_axons=4"}' -o /dev/null
// RUN: not nopt %S/inputs/net.mlir -p 'ntensor-keep-mapping{mapping="%S/inputs/earlier.json"},ntensor-plan-cores{device=asic/edge}' 2>&1 | filecheck %s --check-prefix=DEVICE

// A slice of four neurons. The plan alone would make smaller slices.
// NEURONS:      error[MAP028]: neurons 4 exceed the limit 3 in a slice of {{.*}}earlier.json
// NEURONS-NEXT:   at: ntensor.neuron "hid"
// NEURONS-NEXT:   expected: at most 3 neurons (asic/small, core.neurons: set by the user)
// NEURONS-NEXT:   found: 4 neurons in "hid/1"
// NEURONS-NEXT:   help: {{.*}}move=hid

// Each of its neurons sends to one slice.
// AXONS:      error[MAP028]: output axons 4 exceed the limit 3 in a slice of {{.*}}earlier.json
// AXONS-NEXT:   at: ntensor.neuron "hid"

// DEVICE:      error[MAP029]: the mapping in {{.*}}earlier.json is of another device
// DEVICE-NEXT:   at: ntensor.network @net
// DEVICE-NEXT:   expected: a mapping for asic/edge
// DEVICE-NEXT:   found: one for asic/small
// DEVICE-NEXT:   help: leave ntensor-keep-mapping out
