// RUN: nopt %s --split-input-file -p ntensor-expand-synapses | filecheck %s

// A convolution of 1 x 3 positions with the kernel [1, 2]: out[0] = x[0] + 2 x[1], out[1] = x[1] + 2 x[2]. Its bias is that of both positions.
// The mean before it is merged: each of its inputs has half of the weight.
// CHECK-LABEL: ntensor.network @window
// CHECK-SAME:    approximations = [#ntensor.approximation<"ntensor-expand-synapses", "synapses in a row merged: sums are added in another order", ["conv"], none, none, "none">]
// CHECK-NEXT:    [[F:%.+]] = ntensor.reshape "conv.inputs" %x : tensor<1x6xi1> -> tensor<6xi1>
// CHECK-NEXT:    [[M:%.+]] = ntensor.linear "conv" [[F]] {weight = #nopt.array<{{\[\[}}0.5, 0.5, 1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]] : tensor<2x6xf64>>, bias = #nopt.array<[3.0, 3.0] : tensor<2xf64>>} : tensor<6xi1> -> tensor<2xf64>
// CHECK-NEXT:    [[Y:%.+]] = ntensor.reshape "conv.outputs" [[M]] : tensor<2xf64> -> tensor<1x2xf64>
// CHECK-NEXT:    ntensor.output [[Y]]
ntensor.network @window("in" %x: tensor<1x6xi1>) -> ("out": tensor<1x2xf64>) attributes {tick_ns = 1000} {
  %m = ntensor.sparse_linear "mean" %x {weight = #nopt.array<[0.5, 0.5, 0.5, 0.5, 0.5, 0.5] : tensor<6xf64>>, source = #nopt.array<[0, 1, 2, 3, 4, 5] : tensor<6xi32>>, target = #nopt.array<[0, 0, 1, 1, 2, 2] : tensor<6xi32>>} : tensor<1x6xi1> -> tensor<1x3xf64>
  %y = ntensor.conv1d "conv" %m {weight = #nopt.array<[[[1.0, 2.0]]] : tensor<1x1x2xf64>>, bias = #nopt.array<[3.0] : tensor<1xf64>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1} : tensor<1x3xf64> -> tensor<1x2xf64>
  ntensor.output %y : tensor<1x2xf64>
}

// -----

// A matrix stays, and so does a list of synapses with a delay of a tick.
// CHECK-LABEL: ntensor.network @kept
// CHECK-NEXT:    ntensor.linear "fc" %x
// CHECK-NEXT:    ntensor.sparse_linear "conv" %x
ntensor.network @kept("in" %x: tensor<1xi1>) -> ("out": tensor<1xf64>, "late": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %z = ntensor.sparse_linear "conv" %x {weight = #nopt.array<[1.0] : tensor<1xf64>>, source = #nopt.array<[0] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>, delay = #nopt.array<[1] : tensor<1xi64>>} : tensor<1xi1> -> tensor<1xf64>
  ntensor.output %y, %z : tensor<1xf64>, tensor<1xf64>
}
