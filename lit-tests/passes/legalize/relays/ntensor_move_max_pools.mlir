// RUN: nopt %s -p 'ntensor-move-max-pools' | filecheck %s

// Each neuron of the map integrates its own value; a position outside of all strides takes the parameters of the last one.
// CHECK-LABEL:          ntensor.network @net
// CHECK-SAME:             approximations = [#ntensor.approximation<"ntensor-move-max-pools", "max pools of values after the population: each neuron of a window integrates its own value", ["pool"]
// CHECK-NEXT:             [[Z:%\S+]] = ntensor.neuron "one" @above(%x) {params = {th = #nopt.array<{{\[\[\[}}1.0, 1.0, 2.0, 2.0, 2.0]]] : tensor<1x1x5xf64>>}, initial = {}} : (tensor<1x1x5xf64>) -> tensor<1x1x5xi1>
// CHECK-NEXT:             [[M:%\S+]] = ntensor.max_pool2d "pool" [[Z]] {{.*}} : tensor<1x1x5xi1> -> tensor<1x1x2xi1>
// CHECK-NEXT:             ntensor.output [[M]]
ntensor.update @above <spike> inputs ["x"] params ["th"] raw ["th"] derive {
^bb0(%dt: f64, %given: f64):
  ntensor.derived %given : f64
} initial {
^bb0(%start: f64):
  ntensor.initial
} step {
^bb0(%x: f64, %th: f64):
  %0 = arith.cmpf ogt, %x, %th : f64
  ntensor.emit %0 : i1
}
ntensor.network @net("in" %x: tensor<1x1x5xf64>) -> ("out": tensor<1x1x2xi1>) attributes {tick_ns = 1000000} {
  %m = ntensor.max_pool2d "pool" %x {kernel = #nopt.array<[1, 2] : tensor<2xi64>>, stride = #nopt.array<[1, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x1x5xf64> -> tensor<1x1x2xf64>
  %z = ntensor.neuron "one" @above(%m) {params = {th = #nopt.array<[[[1.0, 2.0]]] : tensor<1x1x2xf64>>}, initial = {}} : (tensor<1x1x2xf64>) -> tensor<1x1x2xi1>
  ntensor.output %z : tensor<1x1x2xi1>
}
