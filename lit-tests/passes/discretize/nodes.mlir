// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f32}' | filecheck %s --check-prefix=F32

// Every synapse of NIR: one number of stride, padding, dilation or kernel becomes one for each axis, a scalar bias one for all
// channels, and the result is a value. Weights keep the type of the file if it converts exactly.
// CHECK-LABEL:         ntensor.network @synapses
// CHECK-NEXT{LITERAL}:   %affine = ntensor.linear "affine" %in {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>, bias = #nopt.array<[0.5] : tensor<1xf32>>} : tensor<2xi1> -> tensor<1xf64>
// CHECK-NEXT{LITERAL}:   %linear = ntensor.linear "linear" %in {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf16>>} : tensor<2xi1> -> tensor<1xf64>
// CHECK-NEXT:            %scale = ntensor.scale "scale" %in {scale = #nopt.array<[0.5, 2.0] : tensor<2xf64>>} : tensor<2xi1> -> tensor<2xf64>
// CHECK-NEXT{LITERAL}:   %conv1d = ntensor.conv1d "conv1d" %line {weight = #nopt.array<[[[1.0, 2.0]]] : tensor<1x1x2xf32>>, bias = #nopt.array<[0.25] : tensor<1xf32>>, stride = #nopt.array<[2] : tensor<1xi64>>, padding = #nopt.array<[[1, 1]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1 : i64} : tensor<1x4xi1> -> tensor<1x3xf64>
// CHECK-NEXT{LITERAL}:   %conv2d = ntensor.conv2d "conv2d" %area {weight = #nopt.array<[[[[1.0, 2.0, 3.0]]]] : tensor<1x1x1x3xf32>>, bias = #nopt.array<[0.0] : tensor<1xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [1, 1]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<1x4x4xi1> -> tensor<1x4x4xf64>
// CHECK-NEXT{LITERAL}:   %sum = ntensor.sum_pool2d "sum" %area {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x4x4xi1> -> tensor<1x2x3xf64>
// CHECK-NEXT{LITERAL}:   %mean = ntensor.avg_pool2d "mean" %area {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[1, 1], [1, 1]] : tensor<2x2xi64>>} : tensor<1x4x4xi1> -> tensor<1x3x3xf64>
// F32-LABEL:           ntensor.network @synapses
// F32:                   : tensor<1x2xf32>>, bias = #nopt.array<[0.5] : tensor<1xf32>>} : tensor<2xi1> -> tensor<1xf32>
// F32:                   %scale = ntensor.scale "scale" %in {scale = #nopt.array<[0.5, 2.0] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
nir.graph @synapses("in" %x: tensor<2xi1>, "line" %l: tensor<1x4xi1>, "area" %y: tensor<1x4x4xi1>) -> ("1": tensor<1xf32>, "2": tensor<1xf32>, "3": tensor<2xf32>, "4": tensor<1x3xf32>, "5": tensor<1x4x4xf32>, "6": tensor<1x2x3xf32>, "7": tensor<1x3x3xf32>) {
  %a = nir.affine "affine" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>, bias = #nopt.array<[0.5] : tensor<1xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %b = nir.linear "linear" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf16>>} : tensor<2xi1> -> tensor<1xf32>
  %c = nir.scale "scale" %x {scale = #nopt.array<[0.5, 2.0] : tensor<2xf64>>} : tensor<2xi1> -> tensor<2xf32>
  %d = nir.conv1d "conv1d" %l {weight = #nopt.array<[[[1.0, 2.0]]] : tensor<1x1x2xf32>>, bias = #nopt.array<0.25 : tensor<f32>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<1 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>} : tensor<1x4xi1> -> tensor<1x3xf32>
  %e = nir.conv2d "conv2d" %y {weight = #nopt.array<[[[[1.0, 2.0, 3.0]]]] : tensor<1x1x1x3xf32>>, bias = #nopt.array<[0.0] : tensor<1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = "same", dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = #nopt.array<1 : tensor<i64>>} : tensor<1x4x4xi1> -> tensor<1x4x4xf32>
  %f = nir.sum_pool2d "sum" %y {kernel_size = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 1] : tensor<2xi64>>, padding = #nopt.array<0 : tensor<i64>>} : tensor<1x4x4xi1> -> tensor<1x2x3xf32>
  %g = nir.avg_pool2d "mean" %y {kernel_size = #nopt.array<2 : tensor<i64>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<[1, 1] : tensor<2xi64>>} : tensor<1x4x4xi1> -> tensor<1x3x3xf32>
  nir.output %a, %b, %c, %d, %e, %f, %g : tensor<1xf32>, tensor<1xf32>, tensor<2xf32>, tensor<1x3xf32>, tensor<1x4x4xf32>, tensor<1x2x3xf32>, tensor<1x3x3xf32>
}

// Windows of nopt's own. A max pool keeps spikes. The weights of a transposed convolution become those of the convolution: [outputs, inputs].
// Bilinear upsampling lists its synapses: of two elements a, b the result is a, (3 a + b) / 4, (a + 3 b) / 4, b.
// CHECK-LABEL:         ntensor.network @windows
// CHECK-NEXT{LITERAL}:   %max = ntensor.max_pool2d "max" %area {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 1] : tensor<2xi64>>, padding = #nopt.array<[[1, 1], [0, 0]] : tensor<2x2xi64>>} : tensor<2x2x2xi1> -> tensor<2x2x1xi1>
// CHECK-NEXT{LITERAL}:   %back = ntensor.conv_transpose2d "back" %area {weight = #nopt.array<[[[[1.0, 2.0]], [[3.0, 4.0]]]] : tensor<1x2x1x2xf32>>, bias = #nopt.array<[0.5] : tensor<1xf32>>, stride = #nopt.array<[1, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [1, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<2x2x2xi1> -> tensor<1x2x3xf64>
// CHECK-NEXT:            %near = ntensor.upsample2d "near" %area {factor = #nopt.array<[1, 2] : tensor<2xi64>>} : tensor<2x2x2xi1> -> tensor<2x2x4xf64>
// CHECK-NEXT:            %linear = ntensor.sparse_linear "linear" %row {weight = #nopt.array<[1.0, 0.75, 0.25, 0.25, 0.75, 1.0] : tensor<6xf64>>, source = #nopt.array<[0, 0, 0, 1, 1, 1] : tensor<6xi32>>, target = #nopt.array<[0, 1, 2, 1, 2, 3] : tensor<6xi32>>} : tensor<1x1x2xi1> -> tensor<1x1x4xf64>
// CHECK-NEXT:            %corners = ntensor.sparse_linear "corners" %row {weight = #nopt.array<[1.0, 0.6666666666666667, 0.33333333333333337, 0.3333333333333333, 0.6666666666666666, 1.0] : tensor<6xf64>>
nir.graph @windows("area" %y: tensor<2x2x2xi1>, "row" %r: tensor<1x1x2xi1>) -> ("1": tensor<2x2x1xi1>, "2": tensor<1x2x3xf32>, "3": tensor<2x2x4xf32>, "4": tensor<1x1x4xf32>, "5": tensor<1x1x4xf32>) {
  %a = nir.max_pool2d "max" %y {kernel_size = #nopt.array<2 : tensor<i64>>, stride = #nopt.array<[2, 1] : tensor<2xi64>>, padding = #nopt.array<[1, 0] : tensor<2xi64>>} : tensor<2x2x2xi1> -> tensor<2x2x1xi1>
  %b = nir.conv_transpose2d "back" %y {weight = #nopt.array<[[[[1.0, 2.0]]], [[[3.0, 4.0]]]] : tensor<2x1x1x2xf32>>, stride = #nopt.array<[1, 2] : tensor<2xi64>>, padding = #nopt.array<[0, 1] : tensor<2xi64>>, output_padding = #nopt.array<[0, 1] : tensor<2xi64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.5 : tensor<f32>>} : tensor<2x2x2xi1> -> tensor<1x2x3xf32>
  %c = nir.upsample2d "near" %y {factor = #nopt.array<[1, 2] : tensor<2xi64>>, mode = "nearest"} : tensor<2x2x2xi1> -> tensor<2x2x4xf32>
  %d = nir.upsample2d "linear" %r {factor = #nopt.array<[1, 2] : tensor<2xi64>>, mode = "bilinear"} : tensor<1x1x2xi1> -> tensor<1x1x4xf32>
  %e = nir.upsample2d "corners" %r {factor = #nopt.array<[1, 2] : tensor<2xi64>>, mode = "bilinear-corners"} : tensor<1x1x2xi1> -> tensor<1x1x4xf32>
  nir.output %a, %b, %c, %d, %e : tensor<2x2x1xi1>, tensor<1x2x3xf32>, tensor<2x2x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>
}

// Arrays whose entries are all equal become one number, also after derivation: k = 1e-3 / tau, and k r is 0.032 both times, of
// 1e-3 / 0.03125 * 1 and 1e-3 / 0.0625 * 2. An array with different entries is kept, even if only the sign of a zero differs.
// CHECK-LABEL: ntensor.network @uniform
// CHECK:         ntensor.neuron "lif" {{.*}}canonical = {decay = #nopt.array<[0.968, 0.984] : tensor<2xf64>>, gain = #nopt.array<0.032 : tensor<f64>>, leak = #nopt.array<[0.0, -0.0] : tensor<2xf64>>, threshold = #nopt.array<1.0 : tensor<f64>>}, params = {r = #nopt.array<[1.0, 2.0] : tensor<2xf64>>, v_leak = #nopt.array<[0.0, -0.0] : tensor<2xf64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<0.5 : tensor<f64>>, k = #nopt.array<[0.032, 0.016] : tensor<2xf64>>}, initial = {v = #nopt.array<[0.0, -0.0] : tensor<2xf64>>}}
nir.graph @uniform("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %z = nir.lif "lif" %x {tau = #nopt.array<[0.03125, 0.0625] : tensor<2xf32>>, r = #nopt.array<[1.0, 2.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, -0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_reset = #nopt.array<0.5 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}

// Numbers that f32 does not represent are rounded, with a record: f32(0.1) is off by 1.49e-9, 0.5 is exact, so the mean over both
// is 0.745e-9; integers above 2^24 round, too: 16777217 becomes 16777216, off by 1. The mean of 4 numbers is (1.49e-9 + 1) / 4.
// CHECK-LABEL: ntensor.network @rounded
// CHECK-NOT:     rounded to
// CHECK:         ntensor.scale "tenth" %in {scale = #nopt.array<[0.1, 0.5] : tensor<2xf64>>}
// CHECK:         ntensor.scale "big" %tenth {scale = #nopt.array<[16777217.0, 1.0] : tensor<2xf64>>}
// F32-LABEL:   ntensor.network @rounded
// F32-SAME:      #ntensor.approximation<"convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f32}", "parameters rounded to f32", ["tenth", "big"], 1.000000e+00 : f64, 0.25000000037{{[0-9]*}} : f64, "1">
// F32:           ntensor.scale "tenth" %in {scale = #nopt.array<[0.1, 0.5] : tensor<2xf32>>}
// F32:           ntensor.scale "big" %tenth {scale = #nopt.array<[1.6777216e+07, 1.0] : tensor<2xf32>>}
nir.graph @rounded("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %a = nir.scale "tenth" %x {scale = #nopt.array<[0.1, 0.5] : tensor<2xf64>>} : tensor<2xf32> -> tensor<2xf32>
  %b = nir.scale "big" %a {scale = #nopt.array<[16777217, 1] : tensor<2xi32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %b : tensor<2xf32>
}
