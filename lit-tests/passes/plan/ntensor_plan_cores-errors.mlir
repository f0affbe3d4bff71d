// RUN: not nopt %S/inputs/net.mlir -p ntensor-plan-cores 2>&1 | filecheck %s --check-prefix=NONE
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device=asic/mesh}' -o /dev/null
// RUN: not nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.memory.all.bytes=7"}' 2>&1 | filecheck %s --check-prefix=BYTES
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.memory.all.bytes=8"}' -o /dev/null
// RUN: not nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.input_axons=5"}' 2>&1 | filecheck %s --check-prefix=AXONS
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-split-fan-in{max-fan-in=5},ntensor-plan-cores{device="%S/inputs/small.json" set="core.input_axons=5"}' -o /dev/null
// RUN: not nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.neurons=1"}' 2>&1 | filecheck %s --check-prefix=CORES
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.neurons=2"}' -o /dev/null
// RUN: not nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.neurones=2"}' 2>&1 | filecheck %s --check-prefix=FIELD

// A network without a device, and no option that specifies one.
// NONE:      error[DEV023]: no device is specified
// NONE-NEXT:   at: ntensor.network @net
// NONE-NEXT:   expected: machine.device = "TARGET/NAME" or "FILE.json"
// NONE-NEXT:   found: none
// NONE-NEXT:   help: the option device=TARGET/NAME of the pass, or machine.device = "TARGET/NAME" among the attributes of the network

// The last neuron has 6 weights of a byte, and 2 bytes of state. The remedy of the message is tried above, like those below.
// BYTES:      error[DEV016]: synapse bytes and neuron bytes 8 exceed the limit 7
// BYTES-NEXT:   at: ntensor.neuron "last"
// BYTES-NEXT:   expected: at most 7 bytes (asic/small, core.memory.all.bytes: set by the user)
// BYTES-NEXT:   found: 8 bytes
// BYTES-NEXT:   help: quantize the weights to fewer bits
// BYTES-NEXT:     nopt {{.*}}net.mlir -p 'ntensor-plan-cores{device="{{.*}}small.json" set="core.memory.all.bytes=8"}'

// AXONS:      error[DEV016]: input axons 6 exceed the limit 5
// AXONS-NEXT:   at: ntensor.neuron "last"
// AXONS-NEXT:   expected: at most 5 axons (asic/small, core.input_axons: set by the user)
// AXONS-NEXT:   found: 6 axons
// AXONS-NEXT:   help: nopt {{.*}}net.mlir -p 'ntensor-split-fan-in{max-fan-in=5},ntensor-plan-cores{device="{{.*}}small.json" set="core.input_axons=5"}'

// CORES:      error[MAP020]: the network has more neurons than asic/small holds
// CORES-NEXT:   expected: at most 4 neurons on 4 cores of 1 (asic/small, core.neurons: set by the user)
// CORES-NEXT:   found: 8 neurons
// CORES-NEXT:   help: nopt {{.*}}net.mlir -p 'ntensor-plan-cores{device="{{.*}}small.json" set="core.neurons=2"}'

// FIELD: error[DEV004]
