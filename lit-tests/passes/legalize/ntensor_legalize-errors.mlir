// RUN: cd %S/inputs && not nopt layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="helpless.json" approximate=plasticity}' 2>&1 | filecheck %s
// RUN: cd %S/inputs && nopt layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-relay-delays{max-delay=3},ntensor-legalize{device="helpless.json"}' -o /dev/null
// RUN: cd %S/inputs && nopt layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="helpless.json" keep=delay}' -o /dev/null
// RUN: not nopt %S/inputs/layers.mlir -p 'ntensor-legalize{keep=weights}' 2>&1 | filecheck %s --check-prefix=KEEP
// RUN: not nopt %S/inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: exits 1 nopt check %S/inputs/rates.mlir --dt 1ms --like norse --rate-window 4 --target asic/edge | filecheck %s --check-prefix=RATES
// RUN: exits 1 nopt check %S/inputs/rates.mlir --dt 1ms --like norse --rate-window 4 --target c/int8 | filecheck %s --check-prefix=INT8
// RUN: exits 1 nopt %S/inputs/rates.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse rate-window=4},ntensor-legalize{device="asic/bus"}' 2>&1 | filecheck %s --check-prefix=BUS


// The device lists a pass for long delays that does not change delays. The help names another one.
// CHECK: error[LEG001]: the fallback of asic/helpless for delay repairs nothing
// CHECK-NEXT:   at: ntensor.delay "late"
// CHECK-NEXT:   expected: at most 3 ticks (asic/helpless, synapse.delay.max: made for a test; there is no silicon)
// CHECK-NEXT:   found: 4 ticks after ntensor-freeze-plasticity
// CHECK-NEXT:   help: nopt layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-relay-delays{max-delay=3},ntensor-legalize{device="helpless.json" approximate=plasticity}'

// The name of the feature is weight_bits.
// KEEP: error[LEG002]: unknown feature weights
// KEEP-NEXT:   at: keep
// KEEP-NEXT:   expected: activation_bits, axon_types, bias, delay, fan_in, fan_out, graded, latency, max_pool, parameters, plasticity, rates, readout, recurrence, resets, sign_modes, synapse_chain, update, weight_bits, weight_exponent
// KEEP-NEXT:   found: weights
// KEEP-NEXT:   help: nopt {{.*}}layers.mlir -p 'ntensor-legalize{keep=weight_bits}'

// No device is specified.
// NONE: error[DEV023]: no device is specified
// NONE-NEXT:   at: ntensor.network @layers
// NONE-NEXT:   expected: machine.device = "TARGET/NAME" or "FILE.json"
// NONE-NEXT:   found: none
// NONE-NEXT:   help: the option device=TARGET/NAME of the pass, or machine.device = "TARGET/NAME" among the attributes of the network

// A device with neurons of its own has none that counts rates. The op is the synapse that reads them.
// RATES:       error[LEG004]: asic/edge does not count rates
// RATES-NEXT:    place: {{.*}}rates.mlir:{{[0-9]+}}:3
// RATES-NEXT:    at: ntensor.linear "fc2"
// RATES-NEXT:    expected: spikes or values of the current tick (asic/edge, neuron.updates)
// RATES-NEXT:    found: rates of "hidden" in windows of 4 ticks
// RATES-NEXT:    help: nopt check {{.*}}rates.mlir --dt 1ms --like norse --rate-window 4 --target asic/edge -p 'nir-set-transmission{nodes=fc2 to=spike}'
// RATES-NOT:   LEG016
// RATES:       1 error, 3 remarks
// BUS:         error[LEG004]: asic/bus does not count rates
// BUS-NEXT:      at: ntensor.linear "fc2"
// INT8:        error[LEG004]: c/int8 does not count rates

// A device permits nothing: properties that the user does not permit to differ are refused. The help works.
// RUN: python %S/inputs/permitting_device.py %root/targets/asic/devices/edge.json %t.permitting.json
// RUN: not nopt %S/inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="%t.permitting.json"}' 2>&1 | filecheck %s --check-prefix=PERMITTED
// RUN: nopt %S/inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="%t.permitting.json" approximate=count,comparison}' -o /dev/null
// PERMITTED:      error[LEG020]: @speck.zero.none follows another rule than the population: count, comparison
// PERMITTED-NEXT:   at: ntensor.neuron "if"
// PERMITTED-NEXT:   expected: the rule of @norse_if.value
// PERMITTED-NEXT:   found: count: at most 1 in a tick, at most 2147516541; comparison: v > threshold, v >= threshold
// PERMITTED-NEXT:   help: nopt {{.*}}counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="{{.*}}ntensor_legalize-errors.mlir.tmp.permitting.json" approximate=count,comparison}'

// A device that freezes weights, and one that shortens delays, need a permission. The help works.
// RUN: not nopt %S/inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge"}' 2>&1 | filecheck %s --check-prefix=FREEZE
// RUN: exits 1 nopt check %S/inputs/layers.mlir --dt 1ms --like norse --target asic/edge | filecheck %s --check-prefix=FROZEN
// RUN: nopt check %S/inputs/layers.mlir --dt 1ms --like norse --target asic/edge --approximate plasticity | filecheck %s --check-prefix=TAKEN
// FREEZE:      error[LEG101]: asic/edge approximates the network: plasticity
// FREEZE-NEXT:   at: ntensor-freeze-plasticity
// FREEZE-NEXT:   expected: a permission of plasticity
// FREEZE-NEXT:   found: plasticity frozen: weights stay as they were trained
// FREEZE-NEXT:   help: nopt {{.*}}layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/edge" approximate=plasticity}'
// FROZEN:      error[LEG101]
// FROZEN:        help: nopt check {{.*}}layers.mlir --dt 1ms --like norse --target asic/edge --approximate plasticity
// TAKEN:       fits asic/edge with approximations (plasticity): 1 core
// RUN: not nopt %S/inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/multi" set="synapse.delay.max=3"}' 2>&1 | filecheck %s --check-prefix=SHORT
// SHORT:       error[LEG101]: asic/multi approximates the network: delay
