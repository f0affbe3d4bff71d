// RUN: cd %S/inputs && not nopt layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="helpless.json"}' 2>&1 | filecheck %s
// RUN: cd %S/inputs && nopt layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="helpless.json" skip=delay}' -o /dev/null
// RUN: not nopt %S/inputs/layers.mlir -p 'ntensor-legalize{skip=weights}' 2>&1 | filecheck %s --check-prefix=SKIP
// RUN: not nopt %S/inputs/layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize' 2>&1 | filecheck %s --check-prefix=NONE

// The device lists a pass for long delays that does not change delays.
// CHECK: error[LEG001]: the fallback of asic/helpless for delay repairs nothing
// CHECK-NEXT:   at: ntensor.delay "late"
// CHECK-NEXT:   expected: at most 3 ticks (asic/helpless, synapse.delay.max: made for a test; there is no silicon)
// CHECK-NEXT:   found: 4 ticks after ntensor-freeze-plasticity
// CHECK-NEXT:   help: ntensor-legalize{skip=delay}

// The name of the feature is weight_bits.
// SKIP: error[LEG002]: unknown feature weights
// SKIP-NEXT:   at: skip
// SKIP-NEXT:   expected: activation_bits, delay, fan_in, fan_out, graded, latency, parameters, plasticity, recurrence, sign_modes, update, weight_bits, weight_exponent
// SKIP-NEXT:   found: weights
// SKIP-NEXT:   help: ntensor-legalize{skip=weight_bits}

// No device is specified.
// NONE: error[PLN001]: no device is specified
// NONE-NEXT:   at: ntensor.network @layers
// NONE-NEXT:   expected: machine.device = "TARGET/NAME" or "FILE.json"
// NONE-NEXT:   found: none
// NONE-NEXT:   help: the option device=TARGET/NAME of the pass, or machine.device = "TARGET/NAME" among the attributes of the network
