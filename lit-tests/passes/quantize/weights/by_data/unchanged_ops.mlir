// RUN: nopt %s -p 'ntensor-calibrate{data="poisson:0.3,ticks=40,samples=8" keep=8},ntensor-quantize-weights{bits=3 balance=none scale=power-of-two method=gptq}' | filecheck %s

// The record names ops that keep their nearest integers: each weight of "gain" has an input of its own, and synapses of "late" have different delays.
// CHECK: gptq with 4 samples; on 4 samples: count error {{.*}}; nearest integers: count error {{.*}}; nearest integers in \22gain\22: one input for each weight; nearest integers in \22late\22: unequal delays"
// CHECK-SAME: ["gain", "late", "fc"]
ntensor.network @together("x" %x: tensor<2xi1>) -> ("y": tensor<1xf32>, "z": tensor<2xf32>, "u": tensor<2xf32>) attributes {tick_ns = 1000000} {
  %four = ntensor.linear "copy" %x {weight = #nopt.array<[[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]] : tensor<4x2xf32>>} : tensor<2xi1> -> tensor<4xf32>
  %z = ntensor.scale "gain" %x {scale = #nopt.array<[0.7, 3.0] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %u = ntensor.sparse_linear "late" %x {weight = #nopt.array<[0.7, 3.0] : tensor<2xf32>>, source = #nopt.array<[0, 1] : tensor<2xi64>>, target = #nopt.array<[0, 1] : tensor<2xi64>>, delay = #nopt.array<[1, 2] : tensor<2xi64>>} : tensor<2xi1> -> tensor<2xf32>
  %y = ntensor.linear "fc" %four {weight = #nopt.array<[[0.4, 0.4, 0.4, 3.0]] : tensor<1x4xf32>>} : tensor<4xf32> -> tensor<1xf32>
  ntensor.output %y, %z, %u : tensor<1xf32>, tensor<2xf32>, tensor<2xf32>
}
