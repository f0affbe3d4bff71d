// RUN: nopt %s -p 'ntensor-pad-inputs{channels=3}' | filecheck %s
// RUN: nopt %s -p ntensor-pad-inputs | filecheck %s --check-prefix=SAME
// RUN: python -c 'import numpy; numpy.save("%t.npy", numpy.arange(64).reshape(2, 2, 4, 4) % 3)'
// RUN: nopt run %S/../inputs/padded.mlir --input %t.npy -o %t.before.npz
// RUN: nopt run %S/../inputs/padded.mlir --input %t.npy -p 'ntensor-pad-inputs{channels=3}' -o %t.after.npz
// RUN: nopt compare %t.before.npz %t.after.npz | filecheck %s --check-prefix=EQUAL

// The data keep their shape, and the run pads them: one channel more, and a pixel at each edge. The weights of the new channel are 0.
// EQUAL: equal
// CHECK-LABEL: ntensor.network @padded("in" %x: tensor<3x6x6x!ntensor.count<4>>)
// CHECK-SAME:    ntensor.input_padding = {in = #nopt.array<{{\[\[}}0, 1], [1, 1], [1, 1]] : tensor<3x2xi64>>}
// CHECK-NEXT:    ntensor.conv2d "conv" %x {{.*}} : tensor<1x3x3x3xf32>>, stride = {{.*}}, padding = #nopt.array<{{\[\[}}0, 0], [0, 0]] : tensor<2x2xi64>>, {{.*}} : tensor<3x6x6x!ntensor.count<4>> -> tensor<1x4x4xf32>

// SAME-LABEL: ntensor.network @padded("in" %x: tensor<2x6x6x!ntensor.count<4>>)
// SAME-SAME:    ntensor.input_padding = {in = #nopt.array<{{\[\[}}0, 0], [1, 1], [1, 1]] : tensor<3x2xi64>>}
ntensor.network @padded("in" %x: tensor<2x4x4x!ntensor.count<4>>) -> ("out": tensor<1x4x4xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.conv2d "conv" %x {weight = #nopt.array<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], [[-1.0, 2.0, -3.0], [4.0, -5.0, 6.0], [-7.0, 8.0, -9.0]]]] : tensor<1x2x3x3xf32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[1, 1], [1, 1]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<2x4x4x!ntensor.count<4>> -> tensor<1x4x4xf32>
  ntensor.output %a : tensor<1x4x4xf32>
}

// An input that a dense layer reads stays.
// CHECK-LABEL: ntensor.network @dense("in" %x: tensor<2x!ntensor.count<4>>)
// CHECK-NOT:     input_padding
ntensor.network @dense("in" %x: tensor<2x!ntensor.count<4>>) -> ("out": tensor<1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>} : tensor<2x!ntensor.count<4>> -> tensor<1xf32>
  ntensor.output %a : tensor<1xf32>
}
