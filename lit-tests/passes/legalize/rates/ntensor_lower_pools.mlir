// RUN: nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract precision=f32},ntensor-encode-rates{window=15},ntensor-lower-pools{kernel=3}' | filecheck %s
// RUN: nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract precision=f32},ntensor-encode-rates{window=15},ntensor-lower-pools{dense bits=6}' | filecheck %s --check-prefix=DENSE
// RUN: nopt %s -p 'ntensor-lower-pools' | filecheck %s --check-prefix=OUTPUT
// RUN: python -c 'import numpy; x = numpy.zeros((1, 15, 1, 4, 4), bool); x[:, :2] = True; numpy.save("%t.npy", x)'
// RUN: nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract precision=f32},ntensor-encode-rates{window=15},ntensor-lower-pools{bits=3 data="%t.npy"}' | filecheck %s --check-prefix=DATA

// Sums of 4 counts of 15 in 4 bits: one of them stands for 60 / 15 = 4 of the sum, rounded to the nearest. As means they stand for 4 / 4 = 1, so the weights
// after the pool stay. A kernel of 3 x 3 has the 2 x 2 ones in its corner.
// CHECK-LABEL: ntensor.network @counts
// CHECK-SAME:    #ntensor.approximation<"ntensor-lower-pools{kernel=3}", "pools as layers, counts of 4 bits in units of up to 4", ["pool"], 2.000000e+00 : f64, 0.98{{[0-9]*}} : f64, "1">
// CHECK:         ntensor.conv2d "pool.sum" %if {weight = {{.*}} : tensor<2x1x3x3xf32>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<{{\[\[}}0, 1], [0, 1]] : tensor<2x2xi64>>, {{.*}}groups = 2 : i64}
// CHECK-NEXT:    ntensor.neuron "pool" @activation_15.f32({{.*}}canonical = {threshold = #nopt.array<2.0 : tensor<f64>>, level = #nopt.array<4.0 : tensor<f64>>
// CHECK-NEXT:    ntensor.reshape "flat" %pool : tensor<2x2x2x!ntensor.count<4>> -> tensor<8x!ntensor.count<4>>
// CHECK-NEXT:    ntensor.linear "fc" {{.*}}{weight = #nopt.array<{{\[\[}}1.0, 1.0, 1.0,

// 6 bits hold every sum, exactly; a mean is a quarter of it. Every channel reads both.
// DENSE-LABEL: ntensor.network @counts
// DENSE-NOT:     ntensor-lower-pools
// DENSE:         ntensor.conv2d "pool.sum" %if {weight = {{.*}} : tensor<2x2x2x2xf32>>, {{.*}}groups = 1 : i64}
// DENSE-NEXT:    ntensor.neuron "pool" @activation_63.f32(
// DENSE:         ntensor.linear "fc" {{.*}}{weight = #nopt.array<{{\[\[}}0.25, 0.25,

// Two spikes are inputs of 2 and 4, counts of 1 and 3, and sums of 4 and 12. With 3 bits, the least error is that of units of 12 / 7: 7 of them are 12, and 2
// are 3.4.
// DATA-LABEL: ntensor.network @counts
// DATA-SAME:    "pools as layers, counts of 3 bits in units of up to 1.714", ["pool"]

// A pool that an output reads stays.
// OUTPUT-LABEL: ntensor.network @read
// OUTPUT-NEXT:    ntensor.sum_pool2d "pool"
// OUTPUT-NEXT:    ntensor.output
ntensor.network @read("in" %x: tensor<1x2x2x!ntensor.count<2>>) -> ("out": tensor<1x1x1xf32>) attributes {tick_ns = 1000} {
  %s = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2x!ntensor.count<2>> -> tensor<1x1x1xf32>
  ntensor.output %s : tensor<1x1x1xf32>
}
