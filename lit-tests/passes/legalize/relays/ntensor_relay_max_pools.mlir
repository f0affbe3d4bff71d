// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=3},ntensor-relay-max-pools' | filecheck %s

// A pool of 4 x 4 after an activation moves before it and becomes two pools of 2 x 2. A layer after the first one repeats its counts, and so does one
// before the dense layer, since chips compute no dense layer after a pool. The last layer has the name of the pool.
// CHECK-LABEL: ntensor.network @pool
// CHECK-NEXT:    [[C:%\S+]] = ntensor.conv2d "conv" %in
// CHECK-NEXT:    [[P:%\S+]] = ntensor.max_pool2d "p.relay.inputs" [[C]] {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, {{.*}} : tensor<1x4x4xf64> -> tensor<1x2x2xf64>
// CHECK-NEXT:    [[A:%\S+]] = ntensor.neuron "p.relay" @activation_3([[P]]) {family = "activation", canonical = {threshold = #nopt.array<1.0 : tensor<f64>>, level = #nopt.array<1.0 : tensor<f64>>
// CHECK-NEXT:    [[W:%\S+]] = ntensor.conv2d "p.relay'.weights" [[A]] {weight = #nopt.array<{{\[\[\[\[}}1]]]] : tensor<1x1x1x1xi8>>, {{.*}}quantized = #ntensor.quantized<2,
// CHECK-NEXT:    [[Q:%\S+]] = ntensor.max_pool2d "p.relay'.inputs" [[W]] {{.*}} : tensor<1x2x2xf64> -> tensor<1x1x1xf64>
// CHECK-NEXT:    [[B:%\S+]] = ntensor.neuron "p.relay'" @activation_3([[Q]]) {family = "activation", canonical = {threshold = #nopt.array<0.0 : tensor<f64>>, level = #nopt.array<1.0 : tensor<f64>>
// CHECK-NEXT:    [[V:%\S+]] = ntensor.conv2d "p.weights" [[B]]
// CHECK-NEXT:    [[D:%\S+]] = ntensor.neuron "p" @activation_3([[V]]) {{.*}} -> tensor<1x1x1x!ntensor.count<2>>
// CHECK-NEXT:    ntensor.reshape "flat" [[D]]
nir.graph @pool("in" %in: tensor<1x4x4xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.conv2d "conv" %in {weight = #nopt.array<[[[[1.0]]]] : tensor<1x1x1x1xf32>>, bias = #nopt.array<[0.0] : tensor<1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>} : tensor<1x4x4xi1> -> tensor<1x4x4xf32>
  %z = nir.if "if" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1x4x4xf32> -> tensor<1x4x4xi1>
  %p = nir.max_pool2d "p" %z {kernel_size = #nopt.array<[4, 4] : tensor<2xi64>>, stride = #nopt.array<[4, 4] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<1x4x4xi1> -> tensor<1x1x1xi1>
  %f = nir.flatten "flat" %p {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<1x1x1xi1> -> tensor<1xi1>
  %b = nir.linear "fc" %f {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %o = nir.if "if2" %b {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %o : tensor<1xi1>
}

// -----

// A pool of 2 x 2 before an activation that a convolution reads stays as it is.
// CHECK-LABEL: ntensor.network @before
// CHECK-NEXT:    ntensor.conv2d "conv"
// CHECK-NEXT:    ntensor.max_pool2d "p"
// CHECK-NEXT:    ntensor.neuron "if"
// CHECK-NEXT:    ntensor.conv2d "conv2"
// CHECK-NEXT:    ntensor.neuron "if2"
nir.graph @before("in" %in: tensor<1x2x2xi1>) -> ("out": tensor<1x1x1xi1>) {
  %a = nir.conv2d "conv" %in {weight = #nopt.array<[[[[1.0]]]] : tensor<1x1x1x1xf32>>, bias = #nopt.array<[0.0] : tensor<1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>} : tensor<1x2x2xi1> -> tensor<1x2x2xf32>
  %p = nir.max_pool2d "p" %a {kernel_size = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<1x2x2xf32> -> tensor<1x1x1xf32>
  %z = nir.if "if" %p {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1x1x1xf32> -> tensor<1x1x1xi1>
  %b = nir.conv2d "conv2" %z {weight = #nopt.array<[[[[1.0]]]] : tensor<1x1x1x1xf32>>, bias = #nopt.array<[0.0] : tensor<1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>} : tensor<1x1x1xi1> -> tensor<1x1x1xf32>
  %o = nir.if "if2" %b {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1x1x1xf32> -> tensor<1x1x1xi1>
  nir.output %o : tensor<1x1x1xi1>
}
