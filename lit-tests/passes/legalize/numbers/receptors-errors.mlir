// A sum that is rounded down would be rounded twice.
// RUN: not nopt %s -p 'ntensor-set-neuron-model{to="spinnaker/spinn3"}' 2>&1 | filecheck %s
// CHECK:      error[LEG056]: a sum cannot be divided by the signs of its weights
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: a sum that is not rounded
// CHECK-NEXT:   found: a negative exponent
// CHECK-NEXT:   help: nopt check {{.*}} --target auto
// Weights that learn stay excitatory from a bound of 0 on; with a lower bound below 0 they would change their receptor.
// RUN: mutate 's/\[\[4, -3\]\]/[[4, 3]]/' 's/exponent = #nopt.array<-1 : tensor<i64>>/plasticity = #nir.stdp<0.1, 0.1, 0.02, 0.02, 0.0, 4.0>/' %s | nopt - -p 'ntensor-set-neuron-model{to="spinnaker/spinn3"}' -o /dev/null
// RUN: mutate 's/\[\[4, -3\]\]/[[4, 3]]/' 's/exponent = #nopt.array<-1 : tensor<i64>>/plasticity = #nir.stdp<0.1, 0.1, 0.02, 0.02, -1.0, 4.0>/' %s > %t.mlir && not nopt %t.mlir -p 'ntensor-set-neuron-model{to="spinnaker/spinn3"}' 2>&1 | filecheck %s --check-prefix=LEARN
// RUN: nopt %t.mlir -p 'ntensor-freeze-plasticity{nodes=fc},ntensor-set-neuron-model{to="spinnaker/spinn3"}' -o /dev/null
// LEARN:      error[LEG056]
// LEARN-NEXT:   at: ntensor.linear "fc"
// LEARN-NEXT:   expected: fixed weights, or weights and bounds of a rule from 0
// LEARN-NEXT:   found: mixed weights that learn
// LEARN-NEXT:   help: {{.*}}ntensor-freeze-plasticity{nodes=fc}
ntensor.update @lif <spike> inputs ["x"] states ["v"] params ["d", "g", "t"] raw ["d", "g", "t"] canonical ["decay", "gain", "leak", "threshold"] derive {
^bb0(%dt: f64, %d: f64, %g: f64, %t: f64):
  %0 = arith.constant 0.0 : f64
  ntensor.derived %d, %g, %t, %d, %g, %0, %t : f64, f64, f64, f64, f64, f64, f64
} initial {
^bb0(%d: f64, %g: f64, %t: f64):
  %0 = arith.constant 0.0 : f64
  ntensor.initial %0 : f64
} step {
^bb0(%x: f64, %v: f64, %d: f64, %g: f64, %t: f64):
  %0 = arith.mulf %v, %d : f64
  %1 = arith.mulf %x, %g : f64
  %2 = arith.addf %0, %1 : f64
  %3 = arith.cmpf ogt, %2, %t : f64
  %4 = arith.constant 0.0 : f64
  %5 = arith.select %3, %4, %2 : f64
  ntensor.emit %3, %5 : i1, f64
}
ntensor.network @net("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[4, -3]] : tensor<1x2xi16>>, exponent = #nopt.array<-1 : tensor<i64>>, quantized = #ntensor.quantized<16, #nopt.array<0.5 : tensor<f64>>>} : tensor<2xi1> -> tensor<1xf64>
  %z = ntensor.neuron "lif" @lif(%y) {family = "lif", canonical = {decay = #nopt.array<0.5 : tensor<f64>>, gain = #nopt.array<1.0 : tensor<f64>>, leak = #nopt.array<0.0 : tensor<f64>>, threshold = #nopt.array<1.0 : tensor<f64>>}, params = {d = #nopt.array<0.5 : tensor<f64>>, g = #nopt.array<1.0 : tensor<f64>>, t = #nopt.array<1.0 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
