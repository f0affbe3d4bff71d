// RUN: not nopt %s --split-input-file -p ntensor-plan-cores 2>&1 | filecheck %s

// A sum before a synapse.
// CHECK:      error[ANA038]: signals meet before a synapse
// CHECK-NEXT:   at: ntensor.scale "half"
// CHECK-NEXT:   expected: a population or an input at the other end of each chain of synapses
// CHECK-NEXT:   found: ntensor.sum
// CHECK-NEXT:   help: give each signal a synapse of its own
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
ntensor.network @n("x" %x: tensor<2xf32>, "y" %y: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000, machine.device = "asic/mesh"} {
  %a = ntensor.sum %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %s = ntensor.scale "half" %a {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = ntensor.neuron "p" @pass(%s) {params = {}, initial = {}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// A sum of reals as right operand of another: x + (y + x) is not (x + y) + x.
// CHECK:      error[ANA038]: signals meet before a synapse
// CHECK-NEXT:   at: ntensor.sum
// CHECK:        help: nopt {{.*}}wiring-errors.mlir --split-input-file -p 'ntensor-merge-sums{any-order=true},ntensor-plan-cores'
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
ntensor.network @n("x" %x: tensor<2xf32>, "y" %y: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000, machine.device = "asic/mesh"} {
  %a = ntensor.sum %y, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %s = ntensor.sum %x, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = ntensor.neuron "p" @pass(%s) {params = {}, initial = {}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}

// -----

// No core sends the sum of synapses.
// CHECK:      error[ANA039]: output "out" is given by no population
// CHECK-NEXT:   at: ntensor.scale "half"
// CHECK-NEXT:   expected: the output of a population, or an input, through delays and reshapes only
// CHECK-NEXT:   found: ntensor.scale
// CHECK-NEXT:   help: let "out" read one of p
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
ntensor.network @n("x" %x: tensor<2xf32>, "y" %y: tensor<2xf32>) -> ("out": tensor<2xf32>) attributes {tick_ns = 1000, machine.device = "asic/mesh"} {
  %s = ntensor.scale "half" %x {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = ntensor.neuron "p" @pass(%s) {params = {}, initial = {}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %s : tensor<2xf32>
}

// -----

// A loop of a delay and a sum, which contains no neuron.
// CHECK:      error[ANA040]: a loop passes through no population
// CHECK-NEXT:   at: ntensor.{{.*}}
// CHECK-NEXT:   expected: a population on every loop
// CHECK-NEXT:   found: {{.*}}ntensor.delay "echo"{{.*}}
// CHECK-NEXT:   help: put a population on the loop that emits its input as a value
ntensor.update @pass <spike> inputs ["x"] step {
^bb0(%x: f32):
  %t = arith.constant 1.0 : f32
  %z = arith.cmpf ogt, %x, %t : f32
  ntensor.emit %z : i1
}
ntensor.network @n("x" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000, machine.device = "asic/mesh"} {
  %d = ntensor.delay "echo" %s {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xf32>
  %s = ntensor.sum %x, %d : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = ntensor.neuron "p" @pass(%s) {params = {}, initial = {}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
