ntensor.update @lif <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k : f64
} initial {
^bb0(%k_1: !fixed.int<0, 15>):
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-32768, 32767>
  ntensor.initial %1 : !fixed.int<-32768, 32767>
} step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>, %v: !fixed.int<-32768, 32767>, %k_2: !fixed.int<0, 15>):
  %2 = fixed.saturate %x : !fixed.int<-9223372036854775808, 9223372036854775807> -> !fixed.int<-8192, 8191>
  %x_1 = ntensor.let "x" %2 : !fixed.int<-8192, 8191>
  %3 = fixed.shr %v, %k_2 : !fixed.int<-32768, 32767>, !fixed.int<0, 15> -> !fixed.int<-32768, 32767>
  %4 = fixed.sub %v, %3 : !fixed.int<-32768, 32767>, !fixed.int<-32768, 32767> -> !fixed.int<-65535, 65535>
  %5 = fixed.add %4, %x_1 : !fixed.int<-65535, 65535>, !fixed.int<-8192, 8191> -> !fixed.int<-73727, 73726>
  %6 = fixed.saturate %5 : !fixed.int<-73727, 73726> -> !fixed.int<-32768, 32767>
  %v_1 = ntensor.let "v" %6 : !fixed.int<-32768, 32767>
  %7 = fixed.constant 120 : !fixed.int<120, 120>
  %8 = fixed.cmp gt %v_1, %7 : !fixed.int<-32768, 32767>, !fixed.int<120, 120>
  %z = ntensor.let "z" %8 : i1
  %9 = fixed.constant 0 : !fixed.int<0, 0>
  %10 = fixed.refine %v_1 : !fixed.int<-32768, 32767> -> !fixed.int<-32768, 120>
  %11 = fixed.select %z, %9, %10 : !fixed.int<0, 0>, !fixed.int<-32768, 120> -> !fixed.int<-32768, 120>
  %12 = fixed.widen %11 : !fixed.int<-32768, 120> -> !fixed.int<-32768, 32767>
  %v_2 = ntensor.let "v" %12 : !fixed.int<-32768, 32767>
  ntensor.emit %z, %v_2 : i1, !fixed.int<-32768, 32767>
}
ntensor.rule @rounded <axonal> weight "w" pre ["x"] randoms ["r"] params ["a", "low", "high"] raw ["a", "low", "high"] derive {
^bb0(%dt: f64, %a: f64, %low: f64, %high: f64):
  %0 = fixed.from_real round %low : f64 -> !fixed.int<-128, 127>
  %1 = fixed.from_real round %high : f64 -> !fixed.int<-128, 127>
  %2 = fixed.to_real %0 : !fixed.int<-128, 127> -> f64
  %3 = fixed.to_real %1 : !fixed.int<-128, 127> -> f64
  ntensor.derived %a, %low, %high, %2, %3 : f64, f64, f64, f64, f64
} initial {
^bb0(%a_1: !fixed.int<0, 15>, %low_1: !fixed.int<-128, 127>, %high_1: !fixed.int<-128, 127>):
  %4 = fixed.constant 0 : !fixed.int<0, 0>
  %5 = fixed.widen %4 : !fixed.int<0, 0> -> !fixed.int<0, 255>
  ntensor.initial %5 : !fixed.int<0, 255>
} on ["tick", "post", "pre"] {
^bb0(%w: !fixed.int<-128, 127>, %x: !fixed.int<0, 255>, %r: !fixed.int<0, 15>, %a_2: !fixed.int<0, 15>, %low_2: !fixed.int<-128, 127>, %high_2: !fixed.int<-128, 127>):
  %6 = fixed.constant 3 : !fixed.int<3, 3>
  %7 = fixed.shr %x, %6 : !fixed.int<0, 255>, !fixed.int<3, 3> -> !fixed.int<0, 31>
  %8 = fixed.sub %x, %7 : !fixed.int<0, 255>, !fixed.int<0, 31> -> !fixed.int<-31, 255>
  %9 = fixed.saturate %8 : !fixed.int<-31, 255> -> !fixed.int<0, 255>
  %x_1 = ntensor.let "x" %9 : !fixed.int<0, 255>
  ntensor.learned %w, %x_1 : !fixed.int<-128, 127>, !fixed.int<0, 255>
} {
^bb0(%w_1: !fixed.int<-128, 127>, %x_2: !fixed.int<0, 255>, %r_1: !fixed.int<0, 15>, %a_3: !fixed.int<0, 15>, %low_3: !fixed.int<-128, 127>, %high_3: !fixed.int<-128, 127>):
  %10 = fixed.mul %a_3, %x_2 : !fixed.int<0, 15>, !fixed.int<0, 255> -> !fixed.int<0, 3825>
  %11 = fixed.constant 4 : !fixed.int<4, 4>
  %12 = fixed.shr %10, %11 : !fixed.int<0, 3825>, !fixed.int<4, 4> -> !fixed.int<0, 239>
  %13 = fixed.add %w_1, %12 : !fixed.int<-128, 127>, !fixed.int<0, 239> -> !fixed.int<-128, 366>
  %14 = fixed.saturate %13 : !fixed.int<-128, 366> -> !fixed.int<-128, 127>
  %15 = fixed.max %14, %low_3 : !fixed.int<-128, 127>, !fixed.int<-128, 127> -> !fixed.int<-128, 127>
  %16 = fixed.min %15, %high_3 : !fixed.int<-128, 127>, !fixed.int<-128, 127> -> !fixed.int<-128, 127>
  %w_2 = ntensor.let "w" %16 : !fixed.int<-128, 127>
  ntensor.learned %w_2, %x_2 : !fixed.int<-128, 127>, !fixed.int<0, 255>
} {
^bb0(%w_3: !fixed.int<-128, 127>, %x_3: !fixed.int<0, 255>, %r_2: !fixed.int<0, 15>, %a_4: !fixed.int<0, 15>, %low_4: !fixed.int<-128, 127>, %high_4: !fixed.int<-128, 127>):
  %17 = fixed.add %a_4, %r_2 : !fixed.int<0, 15>, !fixed.int<0, 15> -> !fixed.int<0, 30>
  %18 = fixed.constant 4 : !fixed.int<4, 4>
  %19 = fixed.shr %17, %18 : !fixed.int<0, 30>, !fixed.int<4, 4> -> !fixed.int<0, 1>
  %20 = fixed.sub %w_3, %19 : !fixed.int<-128, 127>, !fixed.int<0, 1> -> !fixed.int<-129, 127>
  %21 = fixed.saturate %20 : !fixed.int<-129, 127> -> !fixed.int<-128, 127>
  %22 = fixed.max %21, %low_4 : !fixed.int<-128, 127>, !fixed.int<-128, 127> -> !fixed.int<-128, 127>
  %23 = fixed.min %22, %high_4 : !fixed.int<-128, 127>, !fixed.int<-128, 127> -> !fixed.int<-128, 127>
  %w_4 = ntensor.let "w" %23 : !fixed.int<-128, 127>
  %24 = fixed.constant 64 : !fixed.int<64, 64>
  %25 = fixed.add %x_3, %24 : !fixed.int<0, 255>, !fixed.int<64, 64> -> !fixed.int<64, 319>
  %26 = fixed.saturate %25 : !fixed.int<64, 319> -> !fixed.int<0, 255>
  %x_4 = ntensor.let "x" %26 : !fixed.int<0, 255>
  ntensor.learned %w_4, %x_4 : !fixed.int<-128, 127>, !fixed.int<0, 255>
}
ntensor.network @net("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {
    weight = #nopt.array<[[30, 60], [80, 50]] : tensor<2x2xi8>>,
    plasticity = #ntensor.learning<@rounded, {a = 3.0 : f64, low = 0.0 : f64, high = 100.0 : f64, seed = 1.0 : f64}>
  } : tensor<2xi1> -> tensor<2xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {k = #nopt.array<3 : tensor<i32>>}, initial = {v = #nopt.array<0 : tensor<i32>>}} : (tensor<2xi16>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
