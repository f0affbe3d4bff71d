// RUN: nopt %s --split-input-file -p ntensor-fold-scale | filecheck %s
// RUN: nopt %s --split-input-file -p 'ntensor-fold-scale{rounding}' | filecheck %s --check-prefix=ROUND
// RUN: nopt %s --split-input-file -p 'ntensor-calibrate{data="poisson:0.5,ticks=40,samples=4"},ntensor-fold-scale,ntensor-quantize-weights,ntensor-quantize-bias' | filecheck %s --check-prefix=MEANS
// RUN: nopt %root/examples/rhythm/rhythm.nir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fold-scale' --verify-equivalence %root/examples/rhythm/input.npy --dt 1ms --like norse -o /dev/null 2>&1 | filecheck %s --check-prefix=EQUAL
// EQUAL: ntensor-fold-scale: equal

// Spikes are 0 or 1, so any factor with exact products is folded: 0.1 * 0.3 in f32 is not an f32 but an f64.
// 0.10000000149011612 * 0.30000001192092896 = 0.03000000163912775.
// CHECK-LABEL: ntensor.network @spikes
// CHECK-NEXT: ntensor.linear "fc" %{{.+}} {weight =
// CHECK-SAME{LITERAL}: [[0.03000000163912775]] : tensor<1x1xf64>>}
// CHECK-NEXT: ntensor.output
// ROUND-LABEL: ntensor.network @spikes
// ROUND-NOT: approximation
ntensor.network @spikes("input" %x: tensor<1xi1>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.scale "gain" %x {scale = #nopt.array<0.3 : tensor<f32>>} : tensor<1xi1> -> tensor<1xf64>
  %z = ntensor.linear "fc" %y {weight = #nopt.array<[[0.1]] : tensor<1x1xf32>>} : tensor<1xf64> -> tensor<1xf64>
  ntensor.output %z : tensor<1xf64>
}

// -----

// For values, powers of two are folded forwards and backwards, and weights keep their type; 3 only with `rounding`, and recorded. Here it
// rounds no weight, but sums: 3 (a + b) is not 3 a + 3 b to the last bit.
// CHECK-LABEL: ntensor.network @values
// CHECK-NEXT: ntensor.linear "one" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[2.0], [8.0]] : tensor<2x1xf32>>, bias = #nopt.array<[0.5, 2.0] : tensor<2xf32>>}
// CHECK-NEXT: ntensor.scale "three"
// CHECK-NEXT: ntensor.linear "two"
// CHECK-NEXT: ntensor.output
// The means of a calibration are those of the old weights, which the bias is not corrected by.
// MEANS-LABEL: ntensor.network @values
// MEANS-NEXT: ntensor.linear "one" {{.*}}bias = #nopt.array<[0.5, 2.0] : tensor<2xf32>>
// ROUND-LABEL: ntensor.network @values
// ROUND-SAME: approximations = [#ntensor.approximation<"ntensor-fold-scale{rounding=true}", "scales folded into weights; sums are rounded in other places", ["two"], 0.000000e+00 : f64, 0.000000e+00 : f64, "1">]
// ROUND-NEXT: ntensor.linear "one"
// ROUND-NEXT: ntensor.linear "two" %{{.+}} {weight = #nopt.array<
// ROUND-SAME{LITERAL}: [[3.0, 3.0]] : tensor<1x2xf32>>}
// ROUND-NEXT: ntensor.output
ntensor.network @values("input" %x: tensor<1xf64>) -> ("output": tensor<1xf64>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "one" %x {weight = #nopt.array<[[4.0], [4.0]] : tensor<2x1xf32>>, bias = #nopt.array<[1.0, 1.0] : tensor<2xf32>>} : tensor<1xf64> -> tensor<2xf64>
  %b = ntensor.scale "half" %a {scale = #nopt.array<[0.5, 2.0] : tensor<2xf32>>} : tensor<2xf64> -> tensor<2xf64>
  %y = ntensor.scale "three" %b {scale = #nopt.array<3.0 : tensor<f32>>} : tensor<2xf64> -> tensor<2xf64>
  %z = ntensor.linear "two" %y {weight = #nopt.array<[[1.0, 1.0]] : tensor<1x2xf32>>} : tensor<2xf64> -> tensor<1xf64>
  ntensor.output %z : tensor<1xf64>
}

// -----

// A rounded weight: the product above is 0.030000001192092896 in f32, an error of 4.47e-10; of one weight it is both the largest
// and the mean.
// CHECK-LABEL: ntensor.network @rounded
// CHECK: ntensor.scale
// ROUND-LABEL: ntensor.network @rounded
// ROUND-SAME: ["fc"], [[E:[0-9.]+e-10]] : f64, [[E]] : f64, "1">]
// ROUND-NEXT: ntensor.linear "fc"
// ROUND-NEXT: ntensor.output
ntensor.network @rounded("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.scale "gain" %x {scale = #nopt.array<0.3 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = ntensor.linear "fc" %y {weight = #nopt.array<[[0.1]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  ntensor.output %z : tensor<1xf32>
}

// -----

// Scales that are kept, with `rounding` too: integers, whose sums are checked at their place; a scale that a delay is part of; one that
// computes in other reals than its reader; one that a neuron and the output read; factors that differ within a channel.
// CHECK-LABEL: ntensor.network @stays
// CHECK-COUNT-5: ntensor.scale
// ROUND-LABEL: ntensor.network @stays
// ROUND-COUNT-5: ntensor.scale
ntensor.network @stays("n" %n: tensor<1xi8>, "x" %x: tensor<1xf32>, "row" %r: tensor<1x2xf32>) -> ("a": tensor<1xi32>, "b": tensor<1xf32>, "c": tensor<1xf64>, "d": tensor<1xf32>, "e": tensor<1x2xf32>) attributes {tick_ns = 1000} {
  %0 = ntensor.scale "integers" %n {scale = #nopt.array<2 : tensor<i8>>} : tensor<1xi8> -> tensor<1xi32>
  %a = ntensor.linear "a1" %0 {weight = #nopt.array<[[1]] : tensor<1x1xi8>>} : tensor<1xi32> -> tensor<1xi32>
  %1 = ntensor.linear "b1" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %2 = ntensor.scale "owner" %1 {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %b = ntensor.delay "owned" %2 {ticks = #nopt.array<1 : tensor<i64>>, part_of = "owner"} : tensor<1xf32>
  %3 = ntensor.scale "single" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %c = ntensor.linear "double" %3 {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf64>
  %d = ntensor.scale "shown" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %4 = ntensor.linear "d1" %d {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %5 = ntensor.scale "uneven" %r {scale = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %e = ntensor.conv1d "e1" %5 {weight = #nopt.array<[[[1.0]]] : tensor<1x1x1xf32>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1} : tensor<1x2xf32> -> tensor<1x2xf32>
  ntensor.output %a, %b, %c, %d, %e : tensor<1xi32>, tensor<1xf32>, tensor<1xf64>, tensor<1xf32>, tensor<1x2xf32>
}

// -----

// Quantized weights keep their integers, and their scale takes the factor.
// CHECK-LABEL: ntensor.network @quantized
// CHECK-NEXT: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[6]] : tensor<1x1xi8>>, quantized = #ntensor.quantized<8, #nopt.array<1.0 : tensor<f64>>>} :
// ROUND-LABEL: ntensor.network @quantized
ntensor.network @quantized("input" %x: tensor<1xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.scale "gain" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<1xi1> -> tensor<1xf32>
  %z = ntensor.linear "fc" %y {weight = #nopt.array<[[6]] : tensor<1x1xi8>>, quantized = #ntensor.quantized<8, #nopt.array<0.5 : tensor<f64>>>} : tensor<1xf32> -> tensor<1xf32>
  ntensor.output %z : tensor<1xf32>
}

// -----

// A negative factor changes the signs of the integers, one for each row here. A factor of 0, before spikes, has no scale: the weights become reals.
// CHECK-LABEL: ntensor.network @signs
// CHECK-NEXT: ntensor.linear "fc" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[-3, 1], [4, 2]] : tensor<2x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<[[1.0, 0.25], [2.0, 0.5]] : tensor<2x2xf64>>>} :
// CHECK-NEXT: ntensor.linear "zero" %{{.+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[3.0, 0.0]] : tensor<1x2xf32>>} :
ntensor.network @signs("input" %x: tensor<2xi1>) -> ("output": tensor<2xf32>, "last": tensor<1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.scale "before" %x {scale = #nopt.array<[-2, 1] : tensor<2xi8>>, quantized = #ntensor.quantized<8, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<2xf32>
  %y = ntensor.linear "fc" %a {weight = #nopt.array<[[3, 1], [-4, 2]] : tensor<2x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<[[1.0, 0.5], [2.0, 1.0]] : tensor<2x2xf64>>>} : tensor<2xf32> -> tensor<2xf32>
  %b = ntensor.scale "half" %x {scale = #nopt.array<[1.0, 0.0] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %z = ntensor.linear "zero" %b {weight = #nopt.array<[[3, 1]] : tensor<1x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<1.0 : tensor<f64>>>} : tensor<2xf32> -> tensor<1xf32>
  ntensor.output %y, %z : tensor<2xf32>, tensor<1xf32>
}

// -----

// Weights that learn are unchanged, before the scale and after it: the bounds of their rule have the same unit.
// CHECK-LABEL: ntensor.network @learning
// CHECK-NEXT: ntensor.linear "fc"
// CHECK-NEXT: ntensor.scale "gain"
// CHECK-NEXT: ntensor.linear "next"
// ROUND-LABEL: ntensor.network @learning
// ROUND-NEXT: ntensor.linear "fc"
// ROUND-NEXT: ntensor.scale "gain"
// ROUND-NEXT: ntensor.linear "next"
ntensor.network @learning("input" %x: tensor<1xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[3.0]] : tensor<1x1xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<1xi1> -> tensor<1xf32>
  %y = ntensor.scale "gain" %a {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = ntensor.linear "next" %y {weight = #nopt.array<[[3.0]] : tensor<1x1xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<1xf32> -> tensor<1xf32>
  ntensor.output %z : tensor<1xf32>
}
