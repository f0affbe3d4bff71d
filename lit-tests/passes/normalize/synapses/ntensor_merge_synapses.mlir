// RUN: nopt %s --split-input-file -p ntensor-merge-synapses | filecheck %s

// A matrix after a mean of 2 x 2 reads the neurons of each window, with a quarter of its weights. The bias stays.
// CHECK-LABEL: ntensor.network @pooled
// CHECK-SAME:    approximations = [#ntensor.approximation<"ntensor-merge-synapses", "synapses in a row merged: sums are added in another order", ["fc"], none, none, "none">]
// CHECK-NEXT:    ntensor.sparse_linear "fc" %x {weight = #nopt.array<[0.5, 0.5, 1.0, 1.0, 0.5, 0.5, 1.0, 1.0] : tensor<8xf64>>, source = #nopt.array<[0, 1, 2, 3, 4, 5, 6, 7] : tensor<8xi32>>, target = #nopt.array<[0, 0, 0, 0, 0, 0, 0, 0] : tensor<8xi32>>, bias = #nopt.array<[3.0] : tensor<1xf64>>}
// CHECK-NEXT:    ntensor.output
ntensor.network @pooled("in" %x: tensor<1x2x4xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %p = ntensor.avg_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x4xi1> -> tensor<1x1x2xf64>
  %r = ntensor.reshape "flat" %p : tensor<1x1x2xf64> -> tensor<2xf64>
  %y = ntensor.linear "fc" %r {weight = #nopt.array<[[2.0, 4.0]] : tensor<1x2xf64>>, bias = #nopt.array<[3.0] : tensor<1xf64>>} : tensor<2xf64> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}

// -----

// Three in a row become one, and an op with another reader stays, too. Paths with equal ends are added.
// CHECK-LABEL: ntensor.network @several
// CHECK-NEXT:    [[A:%.+]] = ntensor.linear "a" %x
// CHECK-NEXT:    [[Y:%.+]] = ntensor.sparse_linear "c" %x {weight = #nopt.array<[30.0, 60.0] : tensor<2xf64>>, source = #nopt.array<[0, 1] : tensor<2xi32>>, target = #nopt.array<[0, 0] : tensor<2xi32>>}
// CHECK-NEXT:    ntensor.output [[Y]], [[A]]
ntensor.network @several("in" %x: tensor<2xi1>) -> ("out": tensor<1xf64>, "middle": tensor<2xf64>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<[[1.0, 2.0], [1.0, 2.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %b = ntensor.linear "b" %a {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf64>>} : tensor<2xf64> -> tensor<1xf64>
  %c = ntensor.linear "c" %b {weight = #nopt.array<[[10.0]] : tensor<1x1xf64>>} : tensor<1xf64> -> tensor<1xf64>
  ntensor.output %c, %a : tensor<1xf64>, tensor<2xf64>
}
