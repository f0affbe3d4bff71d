// RUN: exits 1 nopt %s -t neuron 2>&1 | filecheck %s

// The language has no tangent.
// CHECK: error[NEU024]: the neuron language has no math.tan
// CHECK-NEXT: at: ntensor.update @tangent
// CHECK-NEXT: found: math.tan
ntensor.update @tangent <value> inputs ["x"] states [] params [] raw [] canonical [] records [] derive {
^bb0(%dt: f64):
  ntensor.derived
} initial {
  ntensor.initial
} step {
^bb0(%x: f64):
  %y = math.tan %x : f64
  ntensor.emit %y : f64
}
