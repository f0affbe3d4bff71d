// Without data the range is that of the worst case: 1 + 3 = 4 and 2 of the kernel; 31 times the largest input of 16 bits, 32768.
// RUN: nopt %S/../inputs/net.mlir -p convert-ntensor-to-memxbar,memxbar-allocate-tiles,memxbar-calibrate-converters | filecheck %s
// CHECK: memxbar.tile 0 {{.*}}adc_range = #nopt.array<[4.0] : tensor<1xf64>>
// CHECK: memxbar.dense {{.*}}dac_range = 3.276800e+04 : f64
// CHECK: memxbar.tile 1 {{.*}}adc_range = #nopt.array<[1015808.0] : tensor<1xf64>>

// With data, the greatest sums: the first window has 1 and 2 of the weight -2, so -2 + 3 = 1, and the maximum of the map is 4.
// RUN: python %S/../../reference/inputs/save.py %t.npy '[[[[[0, 0, 0, 1], [1, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]]]]'
// RUN: nopt %S/../inputs/net.mlir -p 'convert-ntensor-to-memxbar,memxbar-allocate-tiles,memxbar-calibrate-converters{data="%t.npy"}' | filecheck %s --check-prefix=DATA
// DATA: memxbar.tile 0 {{.*}}adc_range = #nopt.array<[3.0] : tensor<1xf64>>
// DATA: memxbar.dense {{.*}}dac_range = 3.000000e+00 : f64
// DATA: memxbar.tile 1 {{.*}}adc_range = #nopt.array<[93.0] : tensor<1xf64>>
