// RUN: nopt %s -p 'ntensor-calibrate{data="poisson:0.3,ticks=40,samples=8" keep=8},ntensor-quantize-weights{bits=3 balance=none}' | filecheck %s --check-prefix=NEAREST
// RUN: nopt %s -p 'ntensor-calibrate{data="poisson:0.3,ticks=40,samples=8" keep=8},ntensor-quantize-weights{bits=3 balance=none scale=power-of-two method=gptq}' | filecheck %s
// RUN: nopt %s -p 'ntensor-calibrate{data="poisson:0.3,ticks=40,samples=8" keep=8},ntensor-quantize-weights{bits=3 balance=none scale=power-of-two method=adaround}' | filecheck %s --check-prefix=DESCENT
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=3 method=gptq nodes=copy}' | filecheck %s --check-prefix=GRID

// Three operands of "fc" are always equal, so only the sum of their weights matters: 1.2. Nearest rounding makes it 0.
// NEAREST:       ntensor.linear "fc"
// NEAREST-SAME{LITERAL}: [[0, 0, 0, 3]] : tensor<1x4xi8>

// With the scale 1 the feedback of errors makes it 1, by the second weight, which becomes 0.6 after the error of the first.
// CHECK:       "ntensor-quantize-weights{bits=3 scale=power-of-two balance=none method=gptq}"
// CHECK-SAME:  one power of two per tensor; gptq with 4 samples; on 4 samples: count error {{.*}}; nearest integers: count error
// CHECK:       ntensor.linear "fc"
// CHECK-SAME{LITERAL}: [[0, 1, 0, 3]] : tensor<1x4xi8>

// No weight of the result of `gptq` has a better integer, so it stays.
// DESCENT:      method=adaround}"
// DESCENT-SAME: gptq with 4 samples; on 4 samples
// DESCENT:      ntensor.linear "fc"
// DESCENT-SAME{LITERAL}: [[0, 1, 0, 3]] : tensor<1x4xi8>

// Weights on a grid of the bits need no samples and leave no record.
// GRID-NOT: approximations
// GRID:     ntensor.linear "copy"
// GRID-NOT: approximations
ntensor.network @together("x" %x: tensor<2xi1>) -> ("y": tensor<1xf32>) attributes {tick_ns = 1000000} {
  %four = ntensor.linear "copy" %x {weight = #nopt.array<[[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]] : tensor<4x2xf32>>} : tensor<2xi1> -> tensor<4xf32>
  %y = ntensor.linear "fc" %four {weight = #nopt.array<[[0.4, 0.4, 0.4, 3.0]] : tensor<1x4xf32>>} : tensor<4xf32> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}
