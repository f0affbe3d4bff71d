// The worst sums: "fc" alone 127 + 127 = 254 with spikes, 9 bits. "counts" reads counts of up to 7: 7 (127 + 64) = 1337, 12 bits. In the
// neuron-wise case both have the scales of one neuron and are added: row 1 has 2 127 + 7 127 = 1143 and row 0 less, 12 bits.
// RUN: not nopt %s -p 'ntensor-quantize-weights{accumulator=8}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=7 accumulator=8 nodes=fc}' -o /dev/null
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=4 accumulator=8 nodes=counts}' -o /dev/null
// RUN: nopt %s -p 'ntensor-quantize-weights{accumulator=12}' -o /dev/null
// RUN: not nopt %s -p 'ntensor-quantize-weights{per=neuron accumulator=3}' 2>&1 | filecheck %s --check-prefix=MEET

// CHECK: error[QUA007]: an accumulator overflows
// CHECK-NEXT: at: ntensor.linear "fc"
// CHECK-NEXT: expected: sums of at most 8 bits
// CHECK-NEXT: found: 9 bits: -100 to 254, the most in row 1
// CHECK-NEXT: help: nopt {{.*}}accumulators-errors.mlir -p 'ntensor-quantize-weights{bits=7 accumulator=8}'
// CHECK-NEXT:   nopt {{.*}}accumulators-errors.mlir -p 'ntensor-quantize-weights{accumulator=9}'
// CHECK: error[QUA007]: an accumulator overflows
// CHECK-NEXT: at: ntensor.linear "counts"
// CHECK-NEXT: expected: sums of at most 8 bits
// CHECK-NEXT: found: 12 bits: 0 to 1337, the most in row 0
// CHECK-NEXT: help: nopt {{.*}}accumulators-errors.mlir -p 'ntensor-quantize-weights{bits=4 accumulator=8}'
// CHECK-NEXT:   nopt {{.*}}accumulators-errors.mlir -p 'ntensor-quantize-weights{accumulator=12}'

// MEET: error[QUA007]: an accumulator overflows
// MEET-NEXT: at: ntensor.linear "fc"
// MEET-NEXT: expected: sums of at most 3 bits
// MEET-NEXT: found: 12 bits: -100 to 1464, the most in row 0, with 2 ops that meet there
// MEET-NEXT: help: nopt {{.*}}accumulators-errors.mlir -p 'ntensor-quantize-weights{per=neuron accumulator=12}'
ntensor.network @net("input" %x: tensor<2xi1>, "many" %n: tensor<2x!ntensor.count<3>>) -> ("output": tensor<2xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[-1.0, 1.27], [1.27, 1.27]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %b = ntensor.linear "counts" %n {weight = #nopt.array<[[1.27, 0.64], [1.27, 0.0]] : tensor<2x2xf32>>} : tensor<2x!ntensor.count<3>> -> tensor<2xf32>
  %y = ntensor.sum %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  ntensor.output %y : tensor<2xf32>
}
