// A register is missing.
// RUN: mutate 's/dash_syn_2/dash_syn_3/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NAMES
// NAMES:      error[XYL001]: the registers are not those of a neuron
// NAMES-NEXT:   at: xylo.hidden "h/0"
// NAMES-NEXT:   expected: dash_mem, dash_syn, dash_syn_2, threshold, bias

// A decay has 4 bits, and a threshold is positive.
// RUN: mutate 's/dash_mem = #nopt.array<3/dash_mem = #nopt.array<16/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=RANGE
// RUN: mutate 's/threshold = #nopt.array<900/threshold = #nopt.array<0/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ZERO
// RUN: mutate 's/threshold = #nopt.array<\[16384, 16384\] : tensor<2xi32>>/threshold = #nopt.array<[16384] : tensor<1xi32>>/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=SHAPE
// RANGE:      error[XYL001]: dash_mem is out of range
// RANGE:        expected: 0 to 15
// RANGE-NEXT:   found: 16
// ZERO:       error[XYL001]: threshold is out of range
// SHAPE:      error[XYL001]: threshold has another shape

// An output neuron sends single spikes, a hidden neuron up to 31.
// RUN: mutate '/xylo.readout/s/: tensor<1xi1>/: tensor<1x!ntensor.count<5>>/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=OUTPUT
// RUN: mutate '/xylo.hidden/s/: tensor<2xi1>/: tensor<2x!ntensor.count<4>>/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=HIDDEN
// RUN: mutate '/xylo.hidden/s/: tensor<2xi1>/: tensor<2x!ntensor.count<5>>/' %S/inputs/xylo.mlir | nopt - -o /dev/null
// OUTPUT:     error[XYL001]: an output neuron sends single spikes
// HIDDEN:     error[XYL001]: a hidden neuron sends spikes
// HIDDEN:       expected: i1, or counts up to 31

// Aliases are one number for each neuron.
// RUN: mutate 's/aliases = #nopt.array<\[-1, -1\] : tensor<2xi32>>/aliases = #nopt.array<[-1] : tensor<1xi32>>/' %S/inputs/xylo.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ALIAS
// ALIAS:      error[XYL001]: aliases are invalid
