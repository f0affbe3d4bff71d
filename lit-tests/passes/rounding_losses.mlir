// Weights of similar sizes are rounded without a warning. 0 is not a synapse, and in row 0 one weight of three vanishes: 0.003 is below half a step, 1 / 254.
// RUN: nopt %s -p 'ntensor-quantize-weights,ntensor-quantize-bias' -o /dev/null 2>&1 | filecheck %s --allow-empty
// RUN: nopt %s -p 'ntensor-fit-weight-masks' -o /dev/null 2>&1 | filecheck %s --allow-empty
// RUN: nopt %s -p 'ntensor-round-reals' -o /dev/null 2>&1 | filecheck %s --allow-empty
// Values that an option leaves beyond the grid are asked for.
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=2 fit=error}' -o /dev/null 2>&1 | filecheck %s --allow-empty
// RUN: nopt %s -p 'ntensor-quantize-weights{clip=60.0}' -o /dev/null 2>&1 | filecheck %s --allow-empty
// CHECK-NOT: warning
ntensor.network @net("input" %x: tensor<4xi1>) -> ("output": tensor<2xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {
    weight = #nopt.array<[[1.0, 0.6, 0.003, 0.0], [-0.9, 0.8, 0.0, 0.7]] : tensor<2x4xf64>>,
    bias = #nopt.array<[0.5, 0.0] : tensor<2xf64>>
  } : tensor<4xi1> -> tensor<2xf64>
  ntensor.output %y : tensor<2xf64>
}
