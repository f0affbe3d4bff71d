// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-decay{bits=0}' 2>&1 | filecheck %s --check-prefix=BITS
// BITS: error[QUA027]: 0 bits are out of range
// BITS-NEXT: at: ntensor-quantize-decay
// BITS-NEXT: expected: 1 to 24
// BITS-NEXT: found: 0
// BITS-NEXT: help: nopt {{.*}}ntensor_quantize_decay-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-decay{bits=1}'

// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-decay{nodes=lfi}' 2>&1 | filecheck %s --check-prefix=NODE
// NODE: error[ANA031]: ntensor-quantize-decay has no node "lfi" to work on
// NODE: help: nopt {{.*}}ntensor_quantize_decay-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-decay{nodes=lif}'

// A decay of 0.9999 has a time constant of 10000 ticks: 255.97 / 256. The help line works.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-decay{bits=8}' -o /dev/null 2>&1 | filecheck %s --check-prefix=LOST
// LOST: warning[QUA012]: decay becomes 1 in 1 of 2 neurons
// LOST-NEXT: at: ntensor.neuron "lif"
// LOST-NEXT: expected: a decay between 0 and 1
// LOST-NEXT: found: 0.9999, a time constant of 10000 ticks, at index 0
// LOST-NEXT: help: nopt {{.*}}ntensor_quantize_decay-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-decay{bits=13}' -o {{.*}}null
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-decay{bits=13}' -o /dev/null 2>&1 | filecheck %s --check-prefix=SHIFT --allow-empty
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-decay{bits=2 mode=shift}' -o /dev/null 2>&1 | filecheck %s --check-prefix=SHIFT --allow-empty
// SHIFT-NOT: becomes 1

// With a tick of 7 s the second neuron keeps 1 - 7/8, half a step of 2 bits: halves go to the even integer. It lasts 1.14 ticks. The first one
// keeps all but 7 / 10000, which 10 bits hold.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=7000000000 like=norse},ntensor-quantize-decay{bits=2}' -o /dev/null 2>&1 | filecheck %s --check-prefix=ZERO
// ZERO: warning[QUA012]: decay becomes 0 in 1 of 2 neurons
// ZERO-NEXT: at: ntensor.neuron "lif"
// ZERO-NEXT: expected: a decay between 0 and 1
// ZERO-NEXT: found: 0.125, a time constant of 1.14286 ticks, at index 1
// ZERO-NEXT: help: nopt {{.*}}ntensor_quantize_decay-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=7000000000 like=norse},ntensor-quantize-decay{bits=10}' -o {{.*}}null
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=7000000000 like=norse},ntensor-quantize-decay{bits=10}' -o /dev/null 2>&1 | filecheck %s --check-prefix=KEPT
// KEPT-NOT: becomes

// A time constant shorter than the tick.
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=10000000000 like=norse},ntensor-quantize-decay' 2>&1 | filecheck %s --check-prefix=NONE
// NONE: error[QUA013]: decay is not a decay
// NONE-NEXT: at: ntensor.neuron "lif"
// NONE-NEXT: expected: 0 to 1, the share that is kept over a tick
// NONE-NEXT: found: -0.25
// NONE-NEXT: help: choose a time step below the time constant

// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like="%S/../inputs/two_rates.neuron"},ntensor-quantize-decay' 2>&1 | filecheck %s --check-prefix=CARRIED
// CARRIED: error[QUA011]: decay is not a parameter of the step
// CARRIED-NEXT: at: ntensor.neuron "lif"
// CARRIED-NEXT: expected: a parameter of @two_rates that is decay, or 1 - decay
// CARRIED-NEXT: found: r, v_leak, v_threshold, v_reset, k
// CARRIED-NEXT: help: nopt {{.*}}ntensor_quantize_decay-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000000 like="{{.*}}two_rates.neuron"},ntensor-set-neuron-model{to="FILE.neuron" nodes=lif},ntensor-quantize-decay'

nir.graph @net("in" %in: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %lif = nir.lif "lif" %in {tau = #nopt.array<[10000.0, 8.0] : tensor<2xf32>>, r = #nopt.array<[2.0, 1.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %lif : tensor<2xi1>
}
