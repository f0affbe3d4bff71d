// RUN: nopt %s | filecheck %s
// RUN: nopt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s
// RUN: nopt %s -t json -o %t.json && nopt %t.json | filecheck %s

// Nodes that the `nir` package does not have. A max pool keeps spikes: (5 + 2 - 3) / 2 + 1 = 3 positions and (4 + 0 - 2) / 2 + 1 = 2.
// A transposed convolution has (3 - 1) 2 + 1 (3 - 1) + 1 - 2 + 1 = 6 and (2 - 1) 2 + 2 + 1 - 2 + 0 = 3 positions.
// Upsampling results in values: 6 x 2 and 3 x 3.
// CHECK-LABEL: nir.graph @windows
// CHECK:         nir.max_pool2d "m" %{{.*}} {kernel_size = #nopt.array<[3, 2] : tensor<2xi64>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<[1, 0] : tensor<2xi64>>} : tensor<2x5x4xi1> -> tensor<2x3x2xi1>
// CHECK-NEXT:    nir.conv_transpose2d "c" %m {weight = #nopt.array<{{.*}} : tensor<2x1x3x3xf32>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<1 : tensor<i64>>, output_padding = #nopt.array<[1, 0] : tensor<2xi64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<[0.5] : tensor<1xf32>>} : tensor<2x3x2xi1> -> tensor<1x6x3xf32>
// CHECK-NEXT:    nir.upsample2d "u" %c {factor = #nopt.array<[2, 3] : tensor<2xi64>>, mode = "nearest"} : tensor<1x6x3xf32> -> tensor<1x12x9xf32>
// CHECK-NEXT:    nir.upsample2d "b" %u {factor = #nopt.array<2 : tensor<i64>>, mode = "bilinear"} : tensor<1x12x9xf32> -> tensor<1x24x18xf32>
// GENERIC:       "nir.max_pool2d"(%{{.*}}) <{node = "m", kernel_size = {{.*}}, stride = {{.*}}, padding = {{.*}}}> : (tensor<2x5x4xi1>) -> tensor<2x3x2xi1>
// GENERIC-NEXT:  "nir.conv_transpose2d"(%m) <{node = "c", weight = {{.*}}, output_padding = {{.*}}}>
// GENERIC-NEXT:  "nir.upsample2d"(%c) <{node = "u", factor = {{.*}}, mode = "nearest"}>
nir.graph @windows("in" %x: tensor<2x5x4xf32>) -> ("out": tensor<1x24x18xf32>) {
  %z = nir.threshold "z" %x {threshold = #nopt.array<1.0 : tensor<f32>>} : tensor<2x5x4xf32> -> tensor<2x5x4xi1>
  %m = nir.max_pool2d "m" %z {kernel_size = #nopt.array<[3, 2] : tensor<2xi64>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<[1, 0] : tensor<2xi64>>} : tensor<2x5x4xi1> -> tensor<2x3x2xi1>
  %c = nir.conv_transpose2d "c" %m {weight = #nopt.array<[[[[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]]], [[[4.0, 0.0, 0.0], [0.0, 5.0, 0.0], [0.0, 0.0, 6.0]]]] : tensor<2x1x3x3xf32>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<1 : tensor<i64>>, output_padding = #nopt.array<[1, 0] : tensor<2xi64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<[0.5] : tensor<1xf32>>} : tensor<2x3x2xi1> -> tensor<1x6x3xf32>
  %u = nir.upsample2d "u" %c {factor = #nopt.array<[2, 3] : tensor<2xi64>>, mode = "nearest"} : tensor<1x6x3xf32> -> tensor<1x12x9xf32>
  %b = nir.upsample2d "b" %u {factor = #nopt.array<2 : tensor<i64>>, mode = "bilinear"} : tensor<1x12x9xf32> -> tensor<1x24x18xf32>
  nir.output %b : tensor<1x24x18xf32>
}
