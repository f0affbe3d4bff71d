// RUN: not nopt %s -p 'ntensor-quantize-weights{state=9}' 2>&1 | filecheck %s --check-prefix=PER
// RUN: not nopt %s -p 'ntensor-quantize-weights{per=neuron state=3}' 2>&1 | filecheck %s --check-prefix=BITS
// RUN: not nopt %s -p 'ntensor-quantize-weights{per=neuron state=9 classes=2}' 2>&1 | filecheck %s --check-prefix=CLASSES
// RUN: nopt %s -p 'ntensor-quantize-weights{per=neuron state=9}' | filecheck %s --check-prefix=HELP
// PER:      error[QUA047]: the bits of a potential need scales of neurons
// PER-NEXT:   at: state=9
// PER-NEXT:   expected: per=neuron, population or spiking-neuron, 2 bits or more, and a scale for each group
// PER-NEXT:   found: per=tensor
// PER-NEXT:   help: nopt {{.*}}state_bounds-errors.mlir -p 'ntensor-quantize-weights{per=neuron state=9}'
// BITS:     error[QUA047]: the bits of a potential are out of range
// BITS-NEXT:  at: state=3
// BITS-NEXT:  expected: 4 to 32
// BITS-NEXT:  found: 3
// BITS-NEXT:  help: nopt {{.*}}state_bounds-errors.mlir -p 'ntensor-quantize-weights{per=neuron state=4}'
// CLASSES:  error[QUA047]:
// CLASSES:    found: classes=2
// CLASSES-NEXT: help: nopt {{.*}}state_bounds-errors.mlir -p 'ntensor-quantize-weights{per=neuron state=9}'

// Without a neuron, only the weights determine the scale: 1 is 127 steps.
// HELP: weight = #nopt.array<{{\[\[}}127, 38]]
ntensor.network @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}
