ntensor.update @lif_no_delay.value <spike> inputs ["x"] states ["v"] params ["alpha_decay", "i_offset", "v_threshold"] raw ["unit", "decay", "leak", "threshold"] canonical ["decay", "threshold", "leak"] derive {
^bb0(%dt: f64, %unit: f64, %decay: f64, %leak: f64, %threshold: f64):
  %0 = arith.truncf %decay : f64 to f32
  %alpha_decay = ntensor.let "alpha_decay" %0 : f32
  %1 = arith.constant 1.000000e+00 : f64
  %2 = arith.subf %1, %decay : f64
  %3 = arith.mulf %2, %leak : f64
  %4 = arith.divf %3, %unit : f64
  %5 = arith.truncf %4 : f64 to f32
  %i_offset = ntensor.let "i_offset" %5 : f32
  %6 = arith.divf %threshold, %unit : f64
  %7 = arith.truncf %6 : f64 to f32
  %v_threshold = ntensor.let "v_threshold" %7 : f32
  %8 = arith.extf %alpha_decay : f32 to f64
  %9 = arith.extf %v_threshold : f32 to f64
  %10 = arith.mulf %9, %unit : f64
  %11 = arith.constant 1.000000e+00 : f64
  %12 = arith.cmpf olt, %decay, %11 : f64
  %13 = arith.extf %i_offset : f32 to f64
  %14 = arith.mulf %13, %unit : f64
  %15 = arith.constant 1.000000e+00 : f64
  %16 = arith.subf %15, %decay : f64
  %17 = arith.divf %14, %16 : f64
  %18 = arith.constant 0.000000e+00 : f64
  %19 = arith.select %12, %17, %18 : f64
  %20 = arith.extf %alpha_decay : f32 to f64
  %21 = arith.extf %i_offset : f32 to f64
  %22 = arith.extf %v_threshold : f32 to f64
  ntensor.derived %20, %21, %22, %8, %10, %19 : f64, f64, f64, f64, f64, f64
} initial {
^bb0(%alpha_decay_1: f32, %i_offset_1: f32, %v_threshold_1: f32):
  %23 = arith.constant 0.000000e+00 : f32
  ntensor.initial %23 : f32
} step {
^bb0(%x: !fixed.int<-2147483648, 2147483647>, %v: f32, %alpha_decay_2: f32, %i_offset_2: f32, %v_threshold_2: f32):
  %24 = arith.mulf %alpha_decay_2, %v : f32
  %25 = arith.addf %24, %i_offset_2 : f32
  %26 = fixed.to_real %x : !fixed.int<-2147483648, 2147483647> -> f32
  %27 = arith.addf %25, %26 : f32
  %v_1 = ntensor.let "v" %27 : f32
  %28 = arith.cmpf ogt, %v_1, %v_threshold_2 : f32
  %z = ntensor.let "z" %28 : i1
  %29 = arith.constant 0.000000e+00 : f32
  %30 = arith.select %z, %29, %v_1 : f32
  %v_2 = ntensor.let "v" %30 : f32
  ntensor.emit %z, %v_2 : i1, f32
}
spinnaker2.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "spinnaker2/chip"} {
  spinnaker2.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0, 1, 2] : tensor<3xi32>>} : tensor<3xi1> {
  ^bb0:
  }
  spinnaker2.core 0 attributes {axons = 3 : i64} {
    spinnaker2.neurons "one/0" of "one" @lif_no_delay.value attributes {model = "lif_no_delay", reset = "reset_to_v_reset", index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {alpha_decay = #nopt.array<0.5 : tensor<f32>>, i_offset = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<32.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : tensor<2xi1> {
      spinnaker2.connections "fc1" of "x" {pre = #nopt.array<[0, 0, 1, 1, 2] : tensor<5xi32>>, post = #nopt.array<[0, 1, 0, 1, 1] : tensor<5xi32>>, weight = #nopt.array<[32, 48, -16, 16, 127] : tensor<5xi8>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
  spinnaker2.core 1 attributes {axons = 2 : i64} {
    spinnaker2.neurons "two/0" of "two" @lif_no_delay.value attributes {model = "lif_no_delay", reset = "reset_to_v_reset", index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {alpha_decay = #nopt.array<0.75 : tensor<f32>>, i_offset = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<32.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : tensor<2xi1> {
      spinnaker2.connections "fc2" of "one" {pre = #nopt.array<[0, 0, 1, 1] : tensor<4xi32>>, post = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>>, weight = #nopt.array<[64, 16, 32, 64] : tensor<4xi8>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
  spinnaker2.output "y" of "two" {delay = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>
}
