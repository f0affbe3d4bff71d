ntensor.update @tangent <value> inputs ["x"] params ["k"] raw ["tau"] derive {
^bb0(%dt: f64, %tau: f64):
  %k = math.tan %tau : f64
  ntensor.derived %k : f64
} initial {
^bb0(%k: f64):
  ntensor.initial
} step {
^bb0(%x: f64, %k: f64):
  %y = arith.mulf %x, %k : f64
  ntensor.emit %y : f64
}
