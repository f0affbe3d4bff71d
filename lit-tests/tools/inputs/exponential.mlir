builtin.module {
  ntensor.update @rise <spike> inputs ["x"] states ["v"] params ["k"] raw ["k"] derive {
  ^bb0(%dt: f64, %k: f64):
    ntensor.derived %k : f64
  } initial {
  ^bb0(%k_1: f64):
    %0 = arith.constant 0.000000e+00 : f64
    ntensor.initial %0 : f64
  } step {
  ^bb0(%x: f64, %v: f64, %k_2: f64):
    %1 = math.absf %x : f64
    %2 = arith.negf %1 : f64
    %3 = math.exp %2 : f64
    %4 = arith.mulf %v, %3 : f64
    %5 = arith.mulf %k_2, %x : f64
    %6 = arith.addf %4, %5 : f64
    %v_1 = ntensor.let "v" %6 : f64
    %7 = arith.constant 1.000000e+00 : f64
    %8 = arith.cmpf ogt, %v_1, %7 : f64
    %z = ntensor.let "z" %8 : i1
    %9 = arith.constant 0.000000e+00 : f64
    %10 = arith.select %z, %9, %v_1 : f64
    %v_2 = ntensor.let "v" %10 : f64
    ntensor.emit %z, %v_2 : i1, f64
  }
  ntensor.network @net("input" %0: tensor<2xf64>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000000 : i64} {
    %1 = ntensor.neuron "rise" @rise(%0) {params = {k = #nopt.array<0.5 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
    ntensor.output %1 : tensor<2xi1>
  }
}
