// RUN: rm -rf %t.dir && mkdir -p %t.dir
// A spike that follows from an equality has no gradient.
// RUN: exits 1 nopt export %s --torch --target c -o %t.dir/chip.py 2>&1 | filecheck %s
// CHECK:      error[PYT001]: the spike of an update has no threshold, and so no gradient
// CHECK-NEXT:   at: ntensor.update @equal
// CHECK-NEXT:   expected: a spike that follows from <, <=, > or >=
// CHECK-NEXT:   found: == in arith.cmpf(v, one)
ntensor.update @equal <spike> inputs ["x"] states ["v"] initial {
  %0 = arith.constant 0.0 : f64
  ntensor.initial %0 : f64
} step {
^bb0(%x: f64, %v: f64):
  %one = arith.constant 1.0 : f64
  %z = arith.cmpf oeq, %v, %one : f64
  ntensor.emit %z, %x : i1, f64
}
ntensor.network @net("input" %x: tensor<2xf64>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000000 : i64} {
  %z = ntensor.neuron "pop" @equal(%x) {params = {}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
