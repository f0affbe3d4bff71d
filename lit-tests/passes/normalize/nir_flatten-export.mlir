// A flattened network is an ordinary .nir file: nodes have their full names, and a sum of sums becomes the edges of one node.
// RUN: mkdir -p %t.a %t.b
// RUN: nopt %s -p nir-flatten -t nir -o %t.a/net.nir
// RUN: nopt %s -p nir-flatten,nir-merge-sums -t nir -o %t.b/net.nir
// RUN: nopt %t.a/net.nir -o %t.a/net.mlir
// RUN: nopt %t.b/net.nir | diff %t.a/net.mlir -
// RUN: filecheck %s < %t.a/net.mlir
// CHECK-LABEL: nir.graph @net
// CHECK-DAG: nir.affine "fc1" %{{.+}} : tensor<2xf32> -> tensor<2xf32>
// CHECK-DAG: nir.affine "fc2" %{{.+}} : tensor<2xf32> -> tensor<2xf32>
// CHECK-DAG: nir.sum %{{.+}}, %{{.+}}, %{{.+}} :
// CHECK-DAG: nir.lif "lif1.lif"
// CHECK-DAG: nir.linear "lif1.w_rec"
// CHECK-NOT: nir.subgraph
nir.graph @net("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %a = nir.affine "fc1" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf32>>, bias = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %b = nir.affine "fc2" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf32>>, bias = #nopt.array<[1.0, 1.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %s = nir.sum %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = nir.subgraph "lif1" (%s) ("input" %in: tensor<2xf32>) -> ("output": tensor<2xi1>) {
    %t = nir.sum %in, %r : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %y = nir.lif "lif" %t {tau = #nopt.array<[0.02, 0.02] : tensor<2xf32>>, r = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
    %r = nir.linear "w_rec" %y {weight = #nopt.array<[[0.25, 0.0], [0.0, 0.25]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
    nir.output %y : tensor<2xi1>
  }
  nir.output %z : tensor<2xi1>
}
