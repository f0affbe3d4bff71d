// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=4}' -o /dev/null 2>&1 | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=4 per=row}' -o /dev/null 2>&1 | filecheck %s --check-prefix=ROW --allow-empty
// RUN: nopt %s --split-input-file -p 'ntensor-quantize-weights{bits=1 per=row}' -o /dev/null 2>&1 | filecheck %s --check-prefix=SIGN

// A row times 10^6 enlarges the scale: 2 10^6 / 7 = 285714. Half of that is more than any other weight.
// CHECK: remark[QUA019]: an outlier makes the grid coarse
// CHECK-NEXT: at: ntensor.linear "fc"
// CHECK-NEXT: expected: weights of at most 16 times their median size, 1.2, or a step of at most half of it
// CHECK-NEXT: found: weight[1, 2] = -2e+06 in row 1, 1666667 times the median size; one step is 2.857e+05
// CHECK-NEXT: help: nopt {{.*}}quantization_diagnostics.mlir --split-input-file -p 'ntensor-quantize-weights{bits=4 per=neuron}' -o {{.*}}null
// CHECK-NEXT: note: the largest error is {{.*}}; without this weight the largest is 1.5e+06, and the largest error at most 1.071e+05
// CHECK: warning[ANA028]: all weights of a row become zero
// CHECK-NEXT: at: ntensor.linear "fc"
// CHECK-NEXT: expected: a weight of half a step, 1.429e+05, or more in each row
// CHECK-NEXT: found: 2 of 4: row 0, row 2; the largest weight there is 1.5
// CHECK-NEXT: help: nopt {{.*}}quantization_diagnostics.mlir --split-input-file -p 'ntensor-quantize-weights{bits=4 per=neuron}' -o {{.*}}null
// CHECK: remark[QUA020]: all weights of a row are zero
// CHECK-NEXT: at: ntensor.linear "fc"
// CHECK-NEXT: expected: a weight other than 0 in each row
// CHECK-NEXT: found: 1 of 4: row 3
// CHECK-NEXT: help: nopt explain QUA020

// With the option of the help line only the zeros are reported.
// ROW-NOT: QUA019
// ROW-NOT: ANA028
// ROW: remark[QUA020]: all weights of a row are zero
// ROW-NOT: QUA019
// ROW-NOT: ANA028

// SIGN: remark[QUA020]: all weights of a row are zero
// SIGN: remark[QUA021]: only the signs of weights are left
// SIGN-NEXT: at: ntensor.linear "fc"
// SIGN-NEXT: expected: weights of one size for each scale
// SIGN-NEXT: found: sizes from 0 to 2e+06; the largest error, 5e+05, is in row 1; 3 of 12 weights were 0 and are positive now
// SIGN-NEXT: help: nopt {{.*}}quantization_diagnostics.mlir --split-input-file -p 'ntensor-quantize-weights{bits=2 per=row}' -o {{.*}}null
ntensor.network @net("input" %x: tensor<3xi1>) -> ("output": tensor<4xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.5, -1.0, 0.5], [1.0e6, 1.5e6, -2.0e6], [0.8, 1.2, 1.1], [0.0, 0.0, 0.0]] : tensor<4x3xf32>>} : tensor<3xi1> -> tensor<4xf32>
  ntensor.output %y : tensor<4xf32>
}
