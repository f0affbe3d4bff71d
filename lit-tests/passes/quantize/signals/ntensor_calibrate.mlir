// RUN: python %S/../inputs/arrays.py %t.dir
// RUN: nopt %s -p 'ntensor-calibrate{data="%t.dir/three.npy"}' | filecheck %s
// RUN: nopt %s -p 'ntensor-calibrate{data="%t.dir/three.npy"}' -o %t.mlir
// RUN: nopt %t.mlir -p 'ntensor-calibrate{data="%t.dir/three.npy"}' | filecheck %s
// RUN: nopt %s -p 'ntensor-calibrate{data="%t.dir/two.npy"}' | filecheck %s --check-prefix=TWO
// RUN: nopt %s -p 'ntensor-calibrate{data="%t.dir/two.npy" samples=1 ticks=2}' | filecheck %s --check-prefix=PART
// RUN: nopt %s -p 'ntensor-calibrate{data="%t.dir/three.npy"}' --verify-equivalence %t.dir/three.npy -o /dev/null 2>&1 | filecheck %s --check-prefix=SAME

// Input 1, -0.5, 1.25 times 2 is 2, -1, 2.5; v goes to 2, 1, and to 3.5, above 2.25, from where it is reset to 0. One spike in 3 ticks.
// Earlier observations are replaced, including those of the pass itself. The mean input is 1.75 / 3 = 0.58333, the mean sum twice that.
// CHECK:      ntensor.network
// CHECK-SAME:   ntensor.observed = {samples = 1 : i64, ticks = 3 : i64, inputs = {in = {range = #nopt.array<[-0.5, 1.25] : tensor<2xf64>>, integral = false, density = 1.000000e+00 : f64}}}
// CHECK:      ntensor.linear "fc"
// CHECK-SAME:   ntensor.observed = {y = #nopt.array<[-1.0, 2.5] : tensor<2xf64>>, means = {y = #nopt.array<[1.1666666666666667] : tensor<1xf64>>, x = #nopt.array<[0.5833333333333334] : tensor<1xf64>>}}
// CHECK:      ntensor.neuron "lif"
// CHECK-SAME:   ntensor.observed = {rate = 0.33333333333333331 : f64, v = #nopt.array<[0.0, 3.5] : tensor<2xf64>>, x = #nopt.array<[-1.0, 2.5] : tensor<2xf64>>, neurons = {v = #nopt.array<[[0.0], [3.5]] : tensor<2x1xf64>>}}

// Two samples of integers, three of their six entries not 0: v goes to 2, 2, 4 with a spike, and to 4 with one, 0, 0.
// TWO:      samples = 2 : i64, ticks = 3 : i64, inputs = {in = {range = #nopt.array<[0.0, 2.0] : tensor<2xf64>>, integral = true, density = 5.000000e-01 : f64}}
// TWO:      ntensor.neuron "lif"
// TWO-SAME:   ntensor.observed = {rate = 0.33333333333333331 : f64, v = #nopt.array<[0.0, 4.0] : tensor<2xf64>>, x = #nopt.array<[0.0, 4.0] : tensor<2xf64>>, neurons = {v = #nopt.array<[[0.0], [4.0]] : tensor<2x1xf64>>}}

// The first two ticks of the first sample.
// PART:      samples = 1 : i64, ticks = 2 : i64, inputs = {in = {range = #nopt.array<[0.0, 1.0] : tensor<2xf64>>, integral = true, density = 5.000000e-01 : f64}}
// PART:      ntensor.neuron "lif"
// PART-SAME:   ntensor.observed = {rate = 0.000000e+00 : f64, v = #nopt.array<[0.0, 2.0] : tensor<2xf64>>, x = #nopt.array<[0.0, 2.0] : tensor<2xf64>>, neurons = {v = #nopt.array<[[0.0], [2.0]] : tensor<2x1xf64>>}}

// SAME: equal

ntensor.update @sum <spike> inputs ["x"] states ["v"] params ["v_threshold"] raw ["v_threshold"] derive {
^bb0(%dt: f64, %threshold: f64):
  ntensor.derived %threshold : f64
} initial {
^bb0(%threshold: f64):
  %zero = arith.constant 0.0 : f64
  ntensor.initial %zero : f64
} step {
^bb0(%x: f64, %v: f64, %threshold: f64):
  %0 = arith.addf %v, %x : f64
  %v1 = ntensor.let "v" %0 : f64
  %z = arith.cmpf ogt, %v1, %threshold : f64
  %zero = arith.constant 0.0 : f64
  %1 = arith.select %z, %zero, %v1 : f64
  %v2 = ntensor.let "v" %1 : f64
  ntensor.emit %z, %v2 : i1, f64
}
ntensor.network @net("in" %in: tensor<1xf64>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000000, ntensor.observed = {samples = 9 : i64}} {
  %y = ntensor.linear "fc" %in {weight = #nopt.array<[[2.0]] : tensor<1x1xf32>>} : tensor<1xf64> -> tensor<1xf64>
  %z = ntensor.neuron "lif" @sum(%y) {params = {v_threshold = #nopt.array<2.25 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}, ntensor.observed = {u = 1 : i64}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
