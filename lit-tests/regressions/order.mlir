// Values that are used before they are defined were an internal error of the engines and of the C printer.

// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// CHECK: error[COR010]: arith.addf uses a value before it is defined
// CHECK-NEXT: at: ntensor.update @late
// CHECK-NEXT: expected: arith.mulf above arith.addf
// CHECK-NEXT: found: arith.mulf below it
// CHECK-NEXT: help: move arith.mulf above arith.addf
"ntensor.update"() <{sym_name = "late", inputs = ["x"], states = [], raw = [], params = [], canonical = [], records = [], emits = #ntensor.emits<value>}> ({
^bb0(%dt: f64):
  ntensor.derived
}, {
  ntensor.initial
}, {
^bb0(%x: f64):
  %b = arith.addf %a, %x : f64
  %a = arith.mulf %x, %x : f64
  ntensor.emit %b : f64
}) : () -> ()

// -----

// CHECK: error[COR010]: arith.addf uses a value before it is defined
// CHECK: found: a value of its own
"ntensor.update"() <{sym_name = "own", inputs = ["x"], states = [], raw = [], params = [], canonical = [], records = [], emits = #ntensor.emits<value>}> ({
^bb0(%dt: f64):
  ntensor.derived
}, {
  ntensor.initial
}, {
^bb0(%x: f64):
  %b = arith.addf %b, %x : f64
  ntensor.emit %b : f64
}) : () -> ()
