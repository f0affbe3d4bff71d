builtin.module {
  ntensor.update @akida.four <count> inputs ["a"] params ["threshold_potential", "act_step"] raw ["unit", "threshold", "level"] canonical ["threshold", "level"] derive {
  ^bb0(%dt: f64, %unit: f64, %threshold: f64, %level: f64):
    %0 = arith.divf %threshold, %unit : f64
    %1 = fixed.from_real floor %0 : f64 -> !fixed.int<-524288, 524287>
    %threshold_potential = ntensor.let "threshold_potential" %1 : !fixed.int<-524288, 524287>
    %2 = arith.divf %level, %unit : f64
    %3 = arith.constant 1.600000e+01 : f64
    %4 = arith.mulf %2, %3 : f64
    %5 = fixed.from_real floor %4 : f64 -> !fixed.int<1, 1048575>
    %act_step = ntensor.let "act_step" %5 : !fixed.int<1, 1048575>
    %6 = fixed.to_real %threshold_potential : !fixed.int<-524288, 524287> -> f64
    %7 = arith.mulf %6, %unit : f64
    %8 = fixed.to_real %act_step : !fixed.int<1, 1048575> -> f64
    %9 = arith.constant 1.600000e+01 : f64
    %10 = arith.divf %8, %9 : f64
    %11 = arith.mulf %10, %unit : f64
    %12 = fixed.to_real %threshold_potential : !fixed.int<-524288, 524287> -> f64
    %13 = fixed.to_real %act_step : !fixed.int<1, 1048575> -> f64
    ntensor.derived %12, %13, %7, %11 : f64, f64, f64, f64
  } initial {
  ^bb0(%threshold_potential_1: !fixed.int<-524288, 524287>, %act_step_1: !fixed.int<1, 1048575>):
    ntensor.initial
  } step {
  ^bb0(%a: !fixed.int<-2147483648, 2147483647>, %threshold_potential_2: !fixed.int<-524288, 524287>, %act_step_2: !fixed.int<1, 1048575>):
    %14 = fixed.constant 1 : !fixed.int<1, 1>
    %15 = fixed.mul %act_step_2, %14 : !fixed.int<1, 1048575>, !fixed.int<1, 1> -> !fixed.int<1, 1048575>
    %steps = ntensor.let "steps" %15 : !fixed.int<1, 1048575>
    %16 = fixed.sub %a, %threshold_potential_2 : !fixed.int<-2147483648, 2147483647>, !fixed.int<-524288, 524287> -> !fixed.int<-2148007935, 2148007935>
    %17 = fixed.constant 4 : !fixed.int<4, 4>
    %18 = fixed.shl %16, %17 : !fixed.int<-2148007935, 2148007935>, !fixed.int<4, 4> -> !fixed.int<-34368126960, 34368126960>
    %19 = fixed.div ceil %18, %steps : !fixed.int<-34368126960, 34368126960>, !fixed.int<1, 1048575> -> !fixed.int<-34368126960, 34368126960>
    %20 = fixed.saturate %19 : !fixed.int<-34368126960, 34368126960> -> !fixed.int<0, 15>
    %y = ntensor.let "y" %20 : !fixed.int<0, 15>
    ntensor.emit %y : !fixed.int<0, 15>
  }
  ntensor.network @dense("x" %x: tensor<4xi1>) -> ("out": tensor<2xi32>) attributes {tick_ns = 1000000 : i64} {
    %a = ntensor.linear "fc1" %x {weight = #nopt.array<[[1, 0, 1, 0], [0, 1, 1, 0]] : tensor<2x4xi8>>} : tensor<4xi1> -> tensor<2xi32>
    %y = ntensor.neuron "n1" @akida.four(%a) {family = "activation", params = {threshold_potential = #nopt.array<[0, 1] : tensor<2xi32>>, act_step = #nopt.array<16 : tensor<i32>>}, initial = {}} : (tensor<2xi32>) -> tensor<2x!ntensor.count<4>>
    %b = ntensor.linear "fc2" %y {weight = #nopt.array<[[1, 2], [-1, 0]] : tensor<2x2xi8>>} : tensor<2x!ntensor.count<4>> -> tensor<2xi32>
    %z = ntensor.neuron "n2" @akida.four(%b) {family = "activation", params = {threshold_potential = #nopt.array<0 : tensor<i32>>, act_step = #nopt.array<16 : tensor<i32>>}, initial = {}} : (tensor<2xi32>) -> tensor<2x!ntensor.count<4>>
    %c = ntensor.linear "fc3" %z {weight = #nopt.array<[[1, -2], [3, 1]] : tensor<2x2xi8>>} : tensor<2x!ntensor.count<4>> -> tensor<2xi32>
    ntensor.output %c : tensor<2xi32>
  }
}
