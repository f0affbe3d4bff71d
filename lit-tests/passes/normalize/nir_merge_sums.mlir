// RUN: nopt %s --split-input-file -p nir-merge-sums | filecheck %s
// RUN: nopt %s --split-input-file -p nir-merge-sums -o /dev/null 2>&1 | filecheck %s --check-prefix=REMARK

// A sum of sums, with operands in order of position. Three operands have an order, which the conversion chooses.
// REMARK: nir_merge_sums.mlir:{{[0-9]+}}:3: remark[NRM005]: the order of a sum may change
// REMARK-NEXT: at: nir.sum before "i"
// REMARK-NEXT: expected: at most 2 operands, which have no order
// REMARK-NEXT: found: 5 operands
// REMARK-NOT: NRM005
// CHECK-LABEL: nir.graph @nested
// CHECK-NEXT: nir.sum [[X:%.+]], [[Y:%.+]], [[Y]], [[X]], [[X]] :
// CHECK-NEXT: nir.i
nir.graph @nested("x" %x: tensor<1xf32>, "y" %y: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %a = nir.sum %y, %x : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %b = nir.sum %x, %y : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %c = nir.sum %b, %a : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %d = nir.sum %c, %x : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %z = nir.i "i" %d {r = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}

// -----

// Two operands at the end: no order, no remark. A sum with two readers, or read twice, is kept; so is a cycle of sums.
// CHECK-LABEL: nir.graph @two
// CHECK-NEXT: [[A:%.+]] = nir.sum [[X:%.+]], [[X]] : (tensor<1xi1>, tensor<1xi1>)
// CHECK-NEXT: [[S:%.+]] = nir.sum [[A]], [[A]] :
// CHECK-NEXT: [[C:%.+]] = nir.sum [[B:%.+]] :
// CHECK-NEXT: [[B]] = nir.sum [[C]] :
// CHECK-NEXT: nir.output [[A]], [[S]]
nir.graph @two("input" %x: tensor<1xi1>) -> ("a": tensor<1xf32>, "b": tensor<1xf32>) {
  %0 = nir.sum %x : (tensor<1xi1>) -> tensor<1xf32>
  %a = nir.sum %0, %x : (tensor<1xf32>, tensor<1xi1>) -> tensor<1xf32>
  %s = nir.sum %a, %a : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %b = nir.sum %c : (tensor<1xf32>) -> tensor<1xf32>
  %c = nir.sum %b : (tensor<1xf32>) -> tensor<1xf32>
  nir.output %a, %s : tensor<1xf32>, tensor<1xf32>
}
