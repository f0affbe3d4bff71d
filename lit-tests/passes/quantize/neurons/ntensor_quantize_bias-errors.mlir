// RUN: not nopt %s -p 'ntensor-quantize-bias{bits=0}' 2>&1 | filecheck %s --check-prefix=BITS
// BITS: error[QUA027]: 0 bits are out of range
// BITS: expected: 2 to 32
// BITS: help: nopt {{.*}}ntensor_quantize_bias-errors.mlir -p 'ntensor-quantize-bias{bits=2}'

// RUN: not nopt %s -p 'ntensor-quantize-bias{nodes=plian}' 2>&1 | filecheck %s --check-prefix=NODE
// NODE: error[ANA031]: ntensor-quantize-bias has no node "plian" to work on
// NODE: help: nopt {{.*}}ntensor_quantize_bias-errors.mlir -p 'ntensor-quantize-bias{nodes=plain}'

// Trained weights have no grid; weights with a scale for each column have no common grid for an output. Both help lines work.
// RUN: not nopt %s -p 'ntensor-quantize-bias' 2>&1 | filecheck %s --check-prefix=PLAIN
// PLAIN: error[QUA009]: the bias has no grid of weights
// PLAIN-NEXT: at: ntensor.linear "plain"
// PLAIN-NEXT: expected: weights with one scale for each output
// PLAIN-NEXT: found: weights that are not quantized
// PLAIN-NEXT: help: nopt {{.*}}ntensor_quantize_bias-errors.mlir -p 'ntensor-quantize-weights{per=row nodes=plain},ntensor-quantize-bias'
// PLAIN-NEXT:   nopt {{.*}}ntensor_quantize_bias-errors.mlir -p 'ntensor-quantize-bias{scale=own nodes=plain},ntensor-quantize-bias'
// RUN: nopt %s -p 'ntensor-quantize-weights{per=row nodes=plain},ntensor-quantize-bias{nodes=plain}' | filecheck %s --check-prefix=DONE
// RUN: nopt %s -p 'ntensor-quantize-bias{scale=own nodes=plain}' | filecheck %s --check-prefix=DONE
// DONE: "ntensor-quantize-bias{{.*}}", ["plain"]
// RUN: not nopt %s -p 'ntensor-quantize-bias{nodes=columns}' 2>&1 | filecheck %s --check-prefix=COLUMNS
// COLUMNS: error[QUA009]: the bias has no grid of weights
// COLUMNS: found: weights of one output with several scales

// 20 is 80 steps of 0.25, and 8 bits hold -128 .. 127. The help line works.
// RUN: nopt %s -p 'ntensor-quantize-bias{bits=4 nodes=large}' -o /dev/null 2>&1 | filecheck %s --check-prefix=LARGE
// LARGE: warning[ANA026]: 1 of 2 biases saturate at 4 bits
// LARGE-NEXT: at: ntensor.linear "large"
// LARGE-NEXT: expected: -8..7 steps of 0.25
// LARGE-NEXT: found: 20 at index 1: 80 steps
// LARGE-NEXT: help: nopt {{.*}}ntensor_quantize_bias-errors.mlir -p 'ntensor-quantize-bias{bits=8 nodes=large}' -o {{.*}}null
// RUN: nopt %s --strict -p 'ntensor-quantize-bias{bits=8 nodes=large}'

// RUN: nopt %s -p 'ntensor-quantize-bias{nodes=small}' -o /dev/null 2>&1 | filecheck %s --check-prefix=SMALL
// SMALL: warning[ANA027]: all biases become 0
// SMALL-NEXT: at: ntensor.linear "small"
// SMALL-NEXT: expected: biases of half a step or more: 0.125
// SMALL-NEXT: found: at most 0.0625
// SMALL-NEXT: help: nopt {{.*}}ntensor_quantize_bias-errors.mlir -p 'ntensor-quantize-bias{nodes=small scale=own}' -o {{.*}}null
// RUN: nopt %s --strict -p 'ntensor-quantize-bias{scale=own nodes=small}'

ntensor.network @net("x" %x: tensor<2xf32>) -> ("a": tensor<2xf32>, "b": tensor<2xf32>, "c": tensor<2xf32>, "d": tensor<2xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "plain" %x {weight = #nopt.array<[[0.5, 0.3], [0.5, 1.0]] : tensor<2x2xf32>>, bias = #nopt.array<[0.3, -1.3] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %b = ntensor.linear "columns" %x {weight = #nopt.array<[[1, 1], [1, 4]] : tensor<2x2xi8>>, bias = #nopt.array<[0.3, -1.3] : tensor<2xf32>>, quantized = #ntensor.quantized<4, #nopt.array<[[0.5, 0.25]] : tensor<1x2xf64>>>} : tensor<2xf32> -> tensor<2xf32>
  %c = ntensor.linear "large" %x {weight = #nopt.array<[[2, 1], [2, 4]] : tensor<2x2xi8>>, bias = #nopt.array<[0.25, 20.0] : tensor<2xf32>>, quantized = #ntensor.quantized<4, #nopt.array<0.25 : tensor<f64>>>} : tensor<2xf32> -> tensor<2xf32>
  %d = ntensor.linear "small" %x {weight = #nopt.array<[[2, 1], [2, 4]] : tensor<2x2xi8>>, bias = #nopt.array<[0.0625, 0.0] : tensor<2xf32>>, quantized = #ntensor.quantized<4, #nopt.array<0.25 : tensor<f64>>>} : tensor<2xf32> -> tensor<2xf32>
  ntensor.output %a, %b, %c, %d : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
