// Row 0 has -100 and 127 steps, row 1 127 and 127: with spikes the worst sum is 254, which takes 9 bits with the sign.
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{accumulator=9}' 2>&1 | filecheck %s
// CHECK-NOT: QAC
// CHECK: ntensor.linear "fc"
// CHECK-SAME: quantized
ntensor.network @net("input" %x: tensor<2xi1>) -> ("output": tensor<2xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[-1.0, 1.27], [1.27, 1.27]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}

// -----

// A sum of reals has no largest integer: this is a remark, not an error.
// CHECK: remark[QUA008]: an accumulator is not checked
// CHECK-NEXT: at: ntensor.linear "reals"
// CHECK-NEXT: expected: spikes, counts or integers to read
// CHECK-NEXT: found: real numbers
// CHECK-NEXT: help: nopt {{.*}}accumulators.mlir --split-input-file -p 'ntensor-quantize-inputs,ntensor-quantize-weights{accumulator=9}'
// RUN: mutate '1,/^.. -----/d' %s | nopt - -p 'ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{accumulator=9}' 2>&1 | filecheck %s --check-prefix=SPIKES
// SPIKES-NOT: QUA008
// SPIKES: quantized
ntensor.network @reals("input" %x: tensor<2xf32>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "reals" %x {weight = #nopt.array<[[1.0, 1.27]] : tensor<1x2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}
