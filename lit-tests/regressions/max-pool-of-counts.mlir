// RUN: nopt %s -p 'ntensor-quantize-weights{bits=3 per=population},ntensor-set-neuron-model{to="%root/lit-tests/passes/legalize/inputs/fixed.neuron" neuron=counting_lif approximate=count,comparison,reset accumulator=12}' | filecheck %s

// A max pool keeps the type of its operand: where a population emits counts, the pool has counts too.
// CHECK:      %one = ntensor.neuron "one" @counting_lif(%{{.*}}) {{.*}} -> tensor<1x2x2x!ntensor.count<2>>
// CHECK-NEXT: %pool = ntensor.max_pool2d "pool" %one {{.*}} : tensor<1x2x2x!ntensor.count<2>> -> tensor<1x1x1x!ntensor.count<2>>
builtin.module {
  ntensor.update @euler_lif.value <spike> inputs ["x"] states ["v"] params ["r", "v_leak", "v_threshold", "v_reset", "k"] raw ["tau", "r", "v_leak", "v_threshold", "v_reset"] canonical ["decay", "gain", "leak", "threshold"] derive {
  ^bb0(%dt: f64, %tau: f64, %r: f64, %v_leak: f64, %v_threshold: f64, %v_reset: f64):
    %0 = arith.divf %dt, %tau : f64
    %k = ntensor.let "k" %0 : f64
    %1 = arith.constant 1.000000e+00 : f64
    %2 = arith.subf %1, %k : f64
    %3 = arith.mulf %k, %r : f64
    ntensor.derived %r, %v_leak, %v_threshold, %v_reset, %k, %2, %3, %v_leak, %v_threshold : f64, f64, f64, f64, f64, f64, f64, f64, f64
  } initial {
  ^bb0(%r_1: f64, %v_leak_1: f64, %v_threshold_1: f64, %v_reset_1: f64, %k_1: f64):
    ntensor.initial %v_leak_1 : f64
  } step {
  ^bb0(%x: f64, %v: f64, %r_2: f64, %v_leak_2: f64, %v_threshold_2: f64, %v_reset_2: f64, %k_2: f64):
    %4 = arith.subf %v_leak_2, %v : f64
    %5 = arith.mulf %r_2, %x : f64
    %6 = arith.addf %4, %5 : f64
    %7 = arith.mulf %k_2, %6 : f64
    %8 = arith.addf %v, %7 : f64
    %v_1 = ntensor.let "v" %8 : f64
    %9 = arith.cmpf ogt, %v_1, %v_threshold_2 : f64
    %z = ntensor.let "z" %9 : i1
    %10 = arith.select %z, %v_reset_2, %v_1 : f64
    %v_2 = ntensor.let "v" %10 : f64
    ntensor.emit %z, %v_2 : i1, f64
  }
  ntensor.network @probe("in" %in: tensor<1x2x2xi1>) -> ("out": tensor<1x1x1xi1>) attributes {tick_ns = 1000000 : i64} {
    %a = ntensor.scale "a" %in {scale = #nopt.array<3.0 : tensor<f64>>} : tensor<1x2x2xi1> -> tensor<1x2x2xf64>
    %one = ntensor.neuron "one" @euler_lif.value(%a) {family = "lif", canonical = {decay = #nopt.array<0.875 : tensor<f64>>, gain = #nopt.array<1.0 : tensor<f64>>, leak = #nopt.array<0.0 : tensor<f64>>, threshold = #nopt.array<2.0 : tensor<f64>>}, params = {r = #nopt.array<8.0 : tensor<f64>>, v_leak = #nopt.array<0.0 : tensor<f64>>, v_threshold = #nopt.array<2.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>, k = #nopt.array<0.125 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1x2x2xf64>) -> tensor<1x2x2xi1>
    %pool = ntensor.max_pool2d "pool" %one {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xi1> -> tensor<1x1x1xi1>
    %b = ntensor.scale "b" %pool {scale = #nopt.array<3.0 : tensor<f64>>} : tensor<1x1x1xi1> -> tensor<1x1x1xf64>
    %two = ntensor.neuron "two" @euler_lif.value(%b) {family = "lif", canonical = {decay = #nopt.array<0.875 : tensor<f64>>, gain = #nopt.array<1.0 : tensor<f64>>, leak = #nopt.array<0.0 : tensor<f64>>, threshold = #nopt.array<2.0 : tensor<f64>>}, params = {r = #nopt.array<8.0 : tensor<f64>>, v_leak = #nopt.array<0.0 : tensor<f64>>, v_threshold = #nopt.array<2.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>, k = #nopt.array<0.125 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1x1x1xf64>) -> tensor<1x1x1xi1>
    ntensor.output %two : tensor<1x1x1xi1>
  }
}
