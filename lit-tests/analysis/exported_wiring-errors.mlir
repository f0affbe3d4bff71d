// RUN: not nopt %s -p 'nir-repair-export{by=spyx dt-ns=1000000},nir-repair-export{by=spyx dt-ns=1000000}' 2>&1 | filecheck %s

// Repaired wiring is not repaired again: a second permutation would be wrong.
// CHECK: error[NRM013]: the network was repaired before
// CHECK-NEXT:   at: nir.graph @flattened
// CHECK-NEXT:   expected: a graph without repairs
// CHECK-NEXT:   found: nir-repair-export{by=spyx dt-ns=1000000}
nir.graph @flattened("input" %x: tensor<2x1x2xf32>) -> ("output": tensor<1xf32>) {
  %f = nir.flatten "flat" %x {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<2x1x2xf32> -> tensor<4xf32>
  %y = nir.linear "fc" %f {weight = #nopt.array<[[1.0, 2.0, 1.0, 2.0]] : tensor<1x4xf32>>} : tensor<4xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}
