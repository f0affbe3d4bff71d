// RUN: not nopt %s --split-input-file -p 'ntensor-split-fan-in{max-fan-in=3}' 2>&1 | filecheck %s

// A synapse after a pool counts as many times as the kernel has elements.
// CHECK: error[LEG043]: ntensor.sum_pool2d has no weights to deal out
// CHECK: found: 4 synapses
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @pool("in" %x: tensor<1x2x2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %y = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xi1> -> tensor<1x1x1xi16>
  %f = ntensor.reshape "flat" %y : tensor<1x1x1xi16> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%f) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// A weight after it has as many synapses, which stay together.
// CHECK: error[LEG043]: a weight of ntensor.linear reads a pool, whose synapses stay together
// CHECK-NEXT: at: ntensor.linear "fc"
// CHECK-NEXT: expected: at most 3 synapses
// CHECK-NEXT: found: 4 synapses
// CHECK-NEXT: help: nopt {{.*}}fan_in-errors.mlir --split-input-file -p 'ntensor-split-fan-in{max-fan-in=4}'
ntensor.update @lif <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @read("in" %x: tensor<1x2x2xi1>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %p = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xi1> -> tensor<1x1x1xi16>
  %f = ntensor.reshape "flat" %p : tensor<1x1x1xi16> -> tensor<1xi16>
  %y = ntensor.linear "fc" %f {weight = #nopt.array<[[2]] : tensor<1x1xi8>>} : tensor<1xi16> -> tensor<1xi16>
  %z = ntensor.neuron "lif" @lif(%y) {params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
