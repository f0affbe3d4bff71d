// RUN: exits 2 nopt %s -p 'ntensor-set-probes{probes=lf1,"lif2:v",fc}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'ntensor-set-probes{probes=lif1,"lif2:v"}' -o /dev/null
// RUN: exits 2 nopt %s -p 'ntensor-set-probes{probes=other}' 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: exits 1 nopt %root/examples/digits/fc.nir -p 'ntensor-set-probes{probes="1"}' 2>&1 | filecheck %s --check-prefix=LEVEL

// Only populations are recorded. All unknown names are reported, with one help that corrects those with a similar name.
// CHECK:      error[NTE020]: no population is called "lf1"
// CHECK-NEXT:   at: probe lf1
// CHECK-NEXT:   expected: a population: lif1, lif2
// CHECK-NEXT:   found: lf1
// CHECK-NEXT:   help: nopt {{.*}}ntensor_set_probes-errors.mlir -p 'ntensor-set-probes{probes=lif1,"lif2:v"}'
// CHECK-NEXT:   note: near matches: lif1, lif2
// CHECK-NEXT: error[NTE020]: no population is called "fc"
// CHECK-NEXT:   at: probe fc
// CHECK-NEXT:   expected: a population: lif1, lif2
// CHECK-NEXT:   found: ntensor.linear "fc"
// OTHER:      error[NTE020]: no population is called "other"
// OTHER:        help: nopt {{.*}}ntensor_set_probes-errors.mlir -p 'ntensor-set-probes{probes=NAME}', where NAME is one of lif1 or lif2
// LEVEL: error[NTE009]
ntensor.update @lif <spike> inputs ["x"] states ["v"] params [] raw [] canonical [] records [] derive {
^bb0(%dt: f64):
  ntensor.derived
} initial {
^bb0:
  %0 = arith.constant 0.0 : f64
  ntensor.initial %0 : f64
} step {
^bb0(%x: f64, %v: f64):
  %z = arith.cmpf ogt, %x, %v : f64
  ntensor.emit %z, %x : i1, f64
}
ntensor.network @net("input" %x: tensor<2xf64>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000} {
  %a = ntensor.neuron "lif1" @lif(%x) {params = {}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
  %b = ntensor.linear "fc" %a {weight = #nopt.array<[[1.0, 2.0], [2.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xi1> -> tensor<2xf64>
  %c = ntensor.neuron "lif2" @lif(%b) {params = {}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
  ntensor.output %c : tensor<2xi1>
}
