// RUN: nopt %s --split-input-file -p ntensor-merge-sums -o %t.mlir
// RUN: filecheck %s < %t.mlir
// RUN: nopt %s --split-input-file -p 'ntensor-merge-sums{any-order}' | filecheck %s --check-prefix=ANY
// RUN: python -c "import numpy; numpy.savez(r'%t.npz', **{n: numpy.random.default_rng(k).normal(size=(50, 1)).astype('f4') for k, n in enumerate('abcd')})"
// RUN: nopt %s --split-input-file -p ntensor-merge-sums --verify-equivalence %t.npz -o /dev/null 2>&1 | filecheck %s --check-prefix=EQUAL
// EQUAL-COUNT-3: ntensor-merge-sums: equal

// From the left, and the second of two, over several levels: ((a + b) + c) + d, and d + (a + b).
// CHECK-LABEL: ntensor.network @left
// CHECK-NEXT: ntensor.sum [[A:%.+]], [[B:%.+]], [[C:%.+]], [[D:%.+]] :
// CHECK-NEXT: ntensor.sum [[A]], [[B]], [[D]] :
// CHECK-NEXT: ntensor.output
// ANY-LABEL: ntensor.network @left
// ANY-NOT: approximation
ntensor.network @left("a" %a: tensor<1xf32>, "b" %b: tensor<1xf32>, "c" %c: tensor<1xf32>, "d" %d: tensor<1xf32>) -> ("one": tensor<1xf32>, "two": tensor<1xf32>) attributes {tick_ns = 1000} {
  %0 = ntensor.sum %a, %b : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %1 = ntensor.sum %0, %c : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %2 = ntensor.sum %1, %d : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %3 = ntensor.sum %a, %b : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %4 = ntensor.sum %d, %3 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  ntensor.output %2, %4 : tensor<1xf32>, tensor<1xf32>
}

// -----

// (a + b) + (c + d) is not ((a + b) + c) + d to the last bit, so one sum is kept; `any-order` merges it, with a record.
// CHECK-LABEL: ntensor.network @pairs
// CHECK-NEXT: [[E:%.+]] = ntensor.sum [[C:%.+]], [[D:%.+]] :
// CHECK-NEXT: ntensor.sum [[A:%.+]], [[B:%.+]], [[E]] :
// CHECK-NEXT: ntensor.scale
// ANY-LABEL: ntensor.network @pairs
// ANY-SAME: approximations = [#ntensor.approximation<"ntensor-merge-sums{any-order=true}", "sums merged, which changes the order of additions", ["reader"], none, none, "none">]
// ANY-NEXT: ntensor.sum {{%.+}}, {{%.+}}, {{%.+}}, {{%.+}} :
// ANY-NEXT: ntensor.scale
ntensor.network @pairs("a" %a: tensor<1xf32>, "b" %b: tensor<1xf32>, "c" %c: tensor<1xf32>, "d" %d: tensor<1xf32>) -> ("out": tensor<1xf32>) attributes {tick_ns = 1000} {
  %0 = ntensor.sum %a, %b : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %1 = ntensor.sum %c, %d : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %2 = ntensor.sum %0, %1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %3 = ntensor.scale "reader" %2 {scale = #nopt.array<3.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  ntensor.output %3 : tensor<1xf32>
}

// -----

// A sum of another type is kept, and so is one with two readers.
// CHECK-LABEL: ntensor.network @stays
// CHECK-COUNT-4: ntensor.sum
// ANY-LABEL: ntensor.network @stays
// ANY-COUNT-4: ntensor.sum
ntensor.network @stays("a" %a: tensor<1xf32>, "b" %b: tensor<1xf32>, "c" %c: tensor<1xf32>, "d" %d: tensor<1xf32>) -> ("one": tensor<1xf64>, "two": tensor<1xf32>) attributes {tick_ns = 1000} {
  %0 = ntensor.sum %a, %b : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %1 = ntensor.sum %0, %c : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf64>
  %2 = ntensor.sum %a, %b : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %3 = ntensor.sum %2, %2, %d : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  ntensor.output %1, %3 : tensor<1xf64>, tensor<1xf32>
}
