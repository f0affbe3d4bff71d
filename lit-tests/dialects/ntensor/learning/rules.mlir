// RUN: nopt %s -o %t.mlir
// RUN: nopt %t.mlir | filecheck %s

// A rule without parameters and states: the region `derive` has only the bounds, and `initial` is omitted. `efficacy` is omitted, so a spike transmits the weight.
// CHECK: ntensor.rule @grow <dendritic> weight "w" derive {
// CHECK: } on ["pre"] {
// CHECK-NOT: efficacy
ntensor.rule @grow <dendritic> weight "w" derive {
^bb0(%dt: f64):
  %low = arith.constant 0.0 : f64
  %high = arith.constant 1.0 : f64
  ntensor.derived %low, %high : f64, f64
} on ["pre"] {
^bb0(%w: f64):
  %one = arith.constant 1.0 : f64
  ntensor.learned %one : f64
}

// All lists of names, two events, and an efficacy.
// CHECK: ntensor.rule @all <axonal> weight "w" synapse ["c"] pre ["x"] post ["y"] observed ["v"] modulators ["m"] randoms ["u"] params ["k"] raw ["k"] derive {
// CHECK: } initial {
// CHECK: } on ["tick", "m"] {
// CHECK: } efficacy {
// CHECK: ntensor.transmitted
ntensor.rule @all <axonal> weight "w" synapse ["c"] pre ["x"] post ["y"] observed ["v"] modulators ["m"] randoms ["u"] params ["k"] raw ["k"] derive {
^bb0(%dt: f64, %k: f64):
  ntensor.derived %k, %k, %k : f64, f64, f64
} initial {
^bb0(%k: f32):
  ntensor.initial %k, %k, %k : f32, f32, f32
} on ["tick", "m"] {
^bb0(%w: f32, %c: f32, %x: f32, %y: f32, %v: f32, %m: f32, %u: f32, %k: f32):
  %y1 = arith.addf %v, %m : f32
  %x1 = arith.mulf %x, %k : f32
  ntensor.learned %w, %u, %x1, %y1 : f32, f32, f32, f32
} {
^bb0(%w: f32, %c: f32, %x: f32, %y: f32, %v: f32, %m: f32, %u: f32, %k: f32):
  ntensor.learned %c, %c, %x, %y : f32, f32, f32, f32
} efficacy {
^bb0(%w: f32, %c: f32, %x: f32, %y: f32, %v: f32, %m: f32, %u: f32, %k: f32):
  %e = arith.mulf %w, %x : f32
  ntensor.transmitted %e : f32
}
