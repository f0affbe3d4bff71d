// RUN: nopt %s -p ntensor-form-layers | filecheck %s

// The input is the count of its quantisation. The threshold of a layer takes the bias of its sums: 8 - 8, 8 - 0, 8 + 8. The last requantisation is left out: its
// offset becomes a bias of the sums, 2^30 / 2^29 = 2, and its factor a part of the scale, 4 * 2^29 / 2^32 = 0.5.
// CHECK-LABEL: ntensor.network @two("x" %x: tensor<2x!ntensor.count<8>>) -> ("y": tensor<2xf64>)
// CHECK-SAME:    #ntensor.approximation<"ntensor-form-layers", "layers of counts: sums in the middle of two integers are rounded down; input x is round(x / 0.5), 0 to 255; y.real is not rounded", ["a.quantise", "x", "y.real"], none, none, "1">
// CHECK-NEXT:    %fc = ntensor.linear "fc" %x {weight = #nopt.array<{{\[\[}}1, -2], [3, 4], [-5, 6]] : tensor<3x2xi8>>, quantized = #ntensor.quantized<4, #nopt.array<1.0 : tensor<f64>>>} : tensor<2x!ntensor.count<8>> -> tensor<3xf64>
// CHECK-NEXT:    %a.quantise = ntensor.neuron "a.quantise" @activation_255(%fc) {family = "activation", {{.*}}params = {threshold = #nopt.array<[0.0, 8.0, 16.0] : tensor<3xf64>>, level = #nopt.array<16.0 : tensor<f64>>}, initial = {}} : (tensor<3xf64>) -> tensor<3x!ntensor.count<8>>
// CHECK-NEXT:    %out = ntensor.linear "out" %a.quantise {weight = {{.*}}, bias = #nopt.array<[2.0, -2.0] : tensor<2xf64>>, quantized = #ntensor.quantized<4, #nopt.array<1.0 : tensor<f64>>>}
// CHECK-NEXT:    %y.real = ntensor.scale "y.real" %out {scale = #nopt.array<0.5 : tensor<f64>>} : tensor<2xf64> -> tensor<2xf64>
// CHECK-NEXT:    ntensor.output %y.real : tensor<2xf64>

builtin.module {
  ntensor.update @quantise <count> inputs ["x"] params ["scale"] raw ["scale"] derive {
  ^bb0(%dt: f64, %scale: f64):
    ntensor.derived %scale : f64
  } initial {
  ^bb0(%scale_1: f32):
    ntensor.initial
  } step {
  ^bb0(%x: f32, %scale_2: f32):
    %0 = arith.divf %x, %scale_2 : f32
    %1 = fixed.from_real round %0 : f32 -> !fixed.int<0, 255>
    %n = ntensor.let "n" %1 : !fixed.int<0, 255>
    ntensor.emit %n : !fixed.int<0, 255>
  }
  ntensor.update @requantise <count> inputs ["a"] params ["multiplier_a", "shift"] raw ["multiplier_a", "shift"] canonical ["threshold", "level", "gain"] derive {
  ^bb0(%dt: f64, %multiplier_a: f64, %shift: f64):
    %0 = fixed.constant 1 : !fixed.int<1, 1>
    %1 = fixed.from_real round %shift : f64 -> !fixed.int<0, 62>
    %2 = fixed.shl %0, %1 : !fixed.int<1, 1>, !fixed.int<0, 62> -> !fixed.int<1, 4611686018427387904>
    %3 = fixed.to_real %2 : !fixed.int<1, 4611686018427387904> -> f64
    %4 = arith.constant 2.000000e+00 : f64
    %5 = arith.divf %3, %4 : f64
    %6 = fixed.from_real round %multiplier_a : f64 -> !fixed.int<1, 2147483647>
    %7 = fixed.to_real %6 : !fixed.int<1, 2147483647> -> f64
    %8 = arith.divf %5, %7 : f64
    %9 = fixed.constant 1 : !fixed.int<1, 1>
    %10 = fixed.shl %9, %1 : !fixed.int<1, 1>, !fixed.int<0, 62> -> !fixed.int<1, 4611686018427387904>
    %11 = fixed.to_real %10 : !fixed.int<1, 4611686018427387904> -> f64
    %12 = fixed.to_real %6 : !fixed.int<1, 2147483647> -> f64
    %13 = arith.divf %11, %12 : f64
    %14 = arith.constant 1.000000e+00 : f64
    ntensor.derived %multiplier_a, %shift, %8, %13, %14 : f64, f64, f64, f64, f64
  } initial {
  ^bb0(%multiplier_a_1: !fixed.int<1, 2147483647>, %shift_1: !fixed.int<0, 62>):
    ntensor.initial
  } step {
  ^bb0(%a: !fixed.int<-2147483648, 2147483647>, %multiplier_a_2: !fixed.int<1, 2147483647>, %shift_2: !fixed.int<0, 62>):
    %15 = fixed.mul %a, %multiplier_a_2 : !fixed.int<-2147483648, 2147483647>, !fixed.int<1, 2147483647> -> !fixed.int<-4611686016279904256, 4611686014132420609>
    %16 = fixed.constant 1 : !fixed.int<1, 1>
    %17 = fixed.shl %16, %shift_2 : !fixed.int<1, 1>, !fixed.int<0, 62> -> !fixed.int<1, 4611686018427387904>
    %18 = fixed.div round %15, %17 : !fixed.int<-4611686016279904256, 4611686014132420609>, !fixed.int<1, 4611686018427387904> -> !fixed.int<-4611686016279904256, 4611686014132420609>
    %19 = fixed.saturate %18 : !fixed.int<-4611686016279904256, 4611686014132420609> -> !fixed.int<0, 255>
    %n = ntensor.let "n" %19 : !fixed.int<0, 255>
    ntensor.emit %n : !fixed.int<0, 255>
  }
  ntensor.update @requantise.2 <value> inputs ["a"] params ["multiplier_a", "offset", "shift"] raw ["multiplier_a", "offset", "shift"] derive {
  ^bb0(%dt: f64, %multiplier_a: f64, %offset: f64, %shift: f64):
    ntensor.derived %multiplier_a, %offset, %shift : f64, f64, f64
  } initial {
  ^bb0(%multiplier_a_1: !fixed.int<-1073741823, 1073741823>, %offset_1: !fixed.int<-4503599627370495, 4503599627370495>, %shift_1: !fixed.int<0, 62>):
    ntensor.initial
  } step {
  ^bb0(%a: !fixed.int<-2147483648, 2147483647>, %multiplier_a_2: !fixed.int<-1073741823, 1073741823>, %offset_2: !fixed.int<-4503599627370495, 4503599627370495>, %shift_2: !fixed.int<0, 62>):
    %0 = fixed.mul %a, %multiplier_a_2 : !fixed.int<-2147483648, 2147483647>, !fixed.int<-1073741823, 1073741823> -> !fixed.int<-2305843007066210304, 2305843007066210304>
    %1 = fixed.add %0, %offset_2 : !fixed.int<-2305843007066210304, 2305843007066210304>, !fixed.int<-4503599627370495, 4503599627370495> -> !fixed.int<-2310346606693580799, 2310346606693580799>
    %2 = fixed.constant 1 : !fixed.int<1, 1>
    %3 = fixed.shl %2, %shift_2 : !fixed.int<1, 1>, !fixed.int<0, 62> -> !fixed.int<1, 4611686018427387904>
    %4 = fixed.div round %1, %3 : !fixed.int<-2310346606693580799, 2310346606693580799>, !fixed.int<1, 4611686018427387904> -> !fixed.int<-2310346606693580799, 2310346606693580799>
    %5 = fixed.saturate %4 : !fixed.int<-2310346606693580799, 2310346606693580799> -> !fixed.int<-128, 127>
    %n = ntensor.let "n" %5 : !fixed.int<-128, 127>
    ntensor.emit %n : !fixed.int<-128, 127>
  }
  ntensor.network @two("x" %x: tensor<2xf32>) -> ("y": tensor<2xf32>) attributes {tick_ns = 1000000 : i64} {
    %x.quantise = ntensor.neuron "x.quantise" @quantise(%x) {params = {scale = #nopt.array<0.5 : tensor<f32>>}, initial = {}} : (tensor<2xf32>) -> tensor<2x!ntensor.count<8>>
    %fc = ntensor.linear "fc" %x.quantise {weight = #nopt.array<[[1, -2], [3, 4], [-5, 6]] : tensor<3x2xi8>>, bias = #nopt.array<[8, 0, -8] : tensor<3xi8>>} : tensor<2x!ntensor.count<8>> -> tensor<3xi32>
    %a.quantise = ntensor.neuron "a.quantise" @requantise(%fc) {family = "activation", canonical = {threshold = #nopt.array<8.0 : tensor<f64>>, level = #nopt.array<16.0 : tensor<f64>>, gain = #nopt.array<1.0 : tensor<f64>>}, params = {multiplier_a = #nopt.array<1073741824 : tensor<i32>>, shift = #nopt.array<34 : tensor<i8>>}, initial = {}} : (tensor<3xi32>) -> tensor<3x!ntensor.count<8>>
    %out = ntensor.linear "out" %a.quantise {weight = #nopt.array<[[1, 3, -5], [-2, 4, 6]] : tensor<2x3xi8>>} : tensor<3x!ntensor.count<8>> -> tensor<2xi32>
    %y0.quantise = ntensor.neuron "y0.quantise" @requantise.2(%out) {params = {multiplier_a = #nopt.array<536870912 : tensor<i32>>, offset = #nopt.array<[1073741824, -1073741824] : tensor<2xi32>>, shift = #nopt.array<32 : tensor<i8>>}, initial = {}} : (tensor<2xi32>) -> tensor<2xi8>
    %y.real = ntensor.scale "y.real" %y0.quantise {scale = #nopt.array<4.0 : tensor<f32>>} : tensor<2xi8> -> tensor<2xf32>
    ntensor.output %y.real : tensor<2xf32>
  }
}
