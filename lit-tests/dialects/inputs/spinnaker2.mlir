ntensor.update @lif_no_delay.value <spike> inputs ["x"] states ["v"] params ["alpha_decay", "i_offset", "v_threshold"] raw ["alpha_decay", "i_offset", "v_threshold"] canonical [] records [] derive {
^bb0(%dt: f64, %a: f64, %o: f64, %th: f64):
  ntensor.derived %a, %o, %th : f64, f64, f64
} initial {
^bb0(%alpha_decay_1: f32, %i_offset_1: f32, %v_threshold_1: f32):
  %0 = arith.constant 0.000000e+00 : f32
  ntensor.initial %0 : f32
} step {
^bb0(%x: !fixed.int<-2147483648, 2147483647>, %v: f32, %alpha_decay: f32, %i_offset: f32, %v_threshold: f32):
  %1 = arith.mulf %alpha_decay, %v : f32
  %2 = arith.addf %1, %i_offset : f32
  %3 = fixed.to_real %x : !fixed.int<-2147483648, 2147483647> -> f32
  %4 = arith.addf %2, %3 : f32
  %5 = arith.cmpf ogt, %4, %v_threshold : f32
  %6 = arith.constant 0.000000e+00 : f32
  %7 = arith.select %5, %6, %4 : f32
  ntensor.emit %5, %7 : i1, f32
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
