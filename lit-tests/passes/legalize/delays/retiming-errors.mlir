// RUN: not nopt %s -p 'ntensor-retime{op-ticks=2}' 2>&1 | filecheck %s
// RUN: mutate 's/array<5 :/array<6 :/' %s | nopt - -p 'ntensor-retime{op-ticks=2}' | filecheck %s --check-prefix=FITS
// RUN: nopt %s -p 'ntensor-retime{op-ticks=2 stretch-loops=true}' | filecheck %s --check-prefix=LONGER

// FITS: ntensor.network @three
// FITS-NOT: approximation
// FITS: ntensor.delay "back" {{.*}}ticks = #nopt.array<2 : tensor<i64>>
// LONGER: "loops wait longer: back by 1"

// Three hops of two ticks, and a total delay of five; six are enough.
// CHECK: error[LEG057]: a loop has fewer ticks of delay than it needs
// CHECK-NEXT:   at: ntensor.neuron "a"
// CHECK-NEXT:   expected: 6 ticks
// CHECK-NEXT:   found: 5 ticks: ntensor.neuron "a" -> ntensor.neuron "b" -> ntensor.neuron "c" -> ntensor.neuron "a"
// CHECK-NEXT:   help: nopt {{.*}}retiming-errors.mlir -p 'ntensor-retime{op-ticks=2 stretch-loops=true}'
// CHECK-NEXT:   note: a longer loop changes results: its spikes come later
ntensor.update @over <spike> inputs ["x"] step {
^bb0(%x: f64):
  %0 = arith.constant 0.5 : f64
  %1 = arith.cmpf ogt, %x, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @three("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000} {
  %h = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %r = ntensor.linear "rec" %w {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %k = ntensor.sum %h, %r : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %a = ntensor.neuron "a" @over(%k) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %i = ntensor.linear "on" %a {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %b = ntensor.neuron "b" @over(%i) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %j = ntensor.linear "end" %b {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %c = ntensor.neuron "c" @over(%j) {params = {}, initial = {}} : (tensor<2xf64>) -> tensor<2xi1>
  %w = ntensor.delay "back" %c {ticks = #nopt.array<5 : tensor<i64>>} : tensor<2xi1>
  ntensor.output %b : tensor<2xi1>
}
