// RUN: nopt %s -t c | filecheck %s
// RUN: nopt %s -p convert-ntensor-to-c | nopt - | filecheck %s --check-prefix=BUFFERS
// RUN: nopt compile %s --target c -o %t -v | filecheck %s --check-prefix=SUMMARY

// Quantised weights are stored as integers, one scale for the op or one for each output. A weight is their product, in the type of the sums. The
// differences of "from" to its zero points, from -148 to 227, need 16 bits: the zero points are subtracted in each term.
// CHECK:       static const float net_c_fc_scale[1] = {
// CHECK:       static const int8_t net_c_fc_weight[6] = {
// CHECK-NEXT:      3, -5, 7, 1, 0, 2
// CHECK:       static const float net_c_conv_scale[2] = {
// CHECK:       static const int16_t net_c_conv_weight[8] = {
// CHECK:       static const int8_t net_c_some_weight[6] = {
// CHECK:       static const uint8_t net_c_gain_scale[3] = {
// CHECK:       static const int8_t net_c_from_zero[2] = {
// CHECK:       static const int8_t net_c_from_weight[8] = {
// CHECK:       += (float)w[o] * net_c_fc_scale[0];
// CHECK:       += (float)taps[{{.*}}] * net_c_conv_scale[o];
// CHECK:       += (float)net_c_some_weight[s] * net_c_some_scale[0];
// CHECK:       += (float)(w[o] - net_c_from_zero[o]) * net_c_from_scale[0];
// BUFFERS:     c.buffer "fc_weight" #c<kind constant> {values = #nopt.array<{{.*}} : tensor<1x2x3xi8>>} : memref<1x2x3xsi8>
// BUFFERS:     c.rows "fc" {{.*}} scale %{{[0-9]+}} {spikes, finite} : {{.*}} scale memref<1xf32>
// BUFFERS:     c.window "conv" {{.*}} scale %{{[0-9]+}} {{{.*}}} : {{.*}} scale memref<2xf32>
// BUFFERS:     c.compressed "some" {{.*}} scale %{{[0-9]+}} {{{.*}}} : {{.*}} scale memref<1xf32>
// BUFFERS:     c.rows "from" {{.*}} scale %{{[0-9]+}} zero %{{[0-9]+}} {{{.*}}} : {{.*}} scale memref<1xf32> zero memref<2xsi8>
// SUMMARY:      arithmetic  f32
// SUMMARY-NEXT: storage     weights i16 and i4 and i8
ntensor.network @net("input" %x: tensor<2xi1>, "image" %m: tensor<1x2x3xi1>, "wide" %z: tensor<4xi1>) -> ("output": tensor<3xf32>, "maps": tensor<2x1x2xf32>, "sums": tensor<3xf32>, "last": tensor<2xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[3, 1], [-5, 0], [7, 2]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.10000000149011612 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
  %c = ntensor.conv2d "conv" %m {weight = #nopt.array<[[[[300, 1], [2, 3]]], [[[4, -5], [6, 7]]]] : tensor<2x1x2x2xi16>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1, quantized = #ntensor.quantized<10, #nopt.array<[[[[0.5]]], [[[0.75]]]] : tensor<2x1x1x1xf64>>>} : tensor<1x2x3xi1> -> tensor<2x1x2xf32>
  %s = ntensor.sparse_linear "some" %x {weight = #nopt.array<[3, -1, 2, 1, 5, 7] : tensor<6xi8>>, source = #nopt.array<[0, 0, 0, 1, 1, 1] : tensor<6xi8>>, target = #nopt.array<[0, 1, 2, 0, 1, 2] : tensor<6xi8>>, quantized = #ntensor.quantized<4, #nopt.array<0.25 : tensor<f64>>>} : tensor<2xi1> -> tensor<3xf32>
  %g = ntensor.scale "gain" %s {scale = #nopt.array<[1, 2, 3] : tensor<3xi8>>, quantized = #ntensor.quantized<3, #nopt.array<0.5 : tensor<f64>>>} : tensor<3xf32> -> tensor<3xf32>
  %f = ntensor.linear "from" %z {weight = #nopt.array<[[-128, 127, 0, 5], [3, -128, 127, -1]] : tensor<2x4xi8>>, quantized = #ntensor.quantized<8, #nopt.array<0.5 : tensor<f64>>, #nopt.array<[[-100], [20]] : tensor<2x1xi8>>>} : tensor<4xi1> -> tensor<2xf32>
  ntensor.output %y, %c, %g, %f : tensor<3xf32>, tensor<2x1x2xf32>, tensor<3xf32>, tensor<2xf32>
}
