// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3},convert-ntensor-to-nir' 2> %t.said | filecheck %s
// RUN: filecheck %s --check-prefix=SAID < %t.said
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},convert-ntensor-to-nir' | filecheck %s --check-prefix=PLAIN

// The conversion orders a sum by its operands, so changed weights are added in another order. A node that keeps two operands together
// keeps the order: c + (a + b) is (a + b) + c. Unchanged numbers need no node.
// CHECK:      [[S:%.*]] = nir.sum %a, %c : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
// CHECK-NEXT: [[K:%.*]] = nir.identity "sum" [[S]] : tensor<1xf32> -> tensor<1xf32>
// CHECK-NEXT: [[T:%.*]] = nir.sum [[K]], %b : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
// CHECK-NEXT: nir.li "li" [[T]]
// SAID:       remark[NRM010]
// SAID:         note: nodes of type Identity keep the order of sums
// PLAIN:      nir.sum %a, %c, %b :
nir.graph @three("input" %x: tensor<2xf32>) -> ("output": tensor<1xf32>) {
  %a = nir.linear "a" %x {weight = #nopt.array<[[1.0, 0.75]] : tensor<1x2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  %b = nir.linear "b" %x {weight = #nopt.array<[[1.0, 0.25]] : tensor<1x2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  %c = nir.linear "c" %x {weight = #nopt.array<[[1.0, 0.125]] : tensor<1x2xf32>>} : tensor<2xf32> -> tensor<1xf32>
  %s = nir.sum %a, %b, %c : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %y = nir.li "li" %s {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}
