// RUN: nopt %s --split-input-file --verify-diagnostics

// An interval has its ends in order.
// expected-error @+1 {{[FIX001]}}
func.func @empty(%a: !fixed.int<3, 2>) {
  return
}

// -----

// No interval leaves 64 signed bits.
// expected-error @+1 {{[FIX001]}}
func.func @wide(%a: !fixed.int<0, 9223372036854775808>) {
  return
}

// -----

// Nor does a result, whatever type is written.
func.func @overflow(%a: !fixed.int<0, 9223372036854775807>) {
  // expected-error @+1 {{[FIX001]}}
  %b = fixed.add %a, %a : !fixed.int<0, 9223372036854775807>, !fixed.int<0, 9223372036854775807> -> !fixed.int<0, 9223372036854775807>
  return
}

// -----

// 1..3 plus 1..3 is 2..6.
func.func @result(%a: !fixed.int<1, 3>) {
  // expected-error @+1 {{[FIX002]}}
  %b = fixed.add %a, %a : !fixed.int<1, 3>, !fixed.int<1, 3> -> !fixed.int<0, 7>
  return
}

// -----

// A constant is in its own interval only.
func.func @constant() {
  // expected-error @+1 {{[FIX002]}}
  %b = fixed.constant 3 : !fixed.int<0, 3>
  return
}

// -----

// What widens may not narrow.
func.func @widen(%a: !fixed.int<0, 9>) {
  // expected-error @+1 {{[FIX002]}}
  %b = fixed.widen %a : !fixed.int<0, 9> -> !fixed.int<0, 7>
  return
}

// -----

// What refines may not widen.
func.func @refine(%a: !fixed.int<0, 9>) {
  // expected-error @+1 {{[FIX002]}}
  %b = fixed.refine %a : !fixed.int<0, 9> -> !fixed.int<-1, 7>
  return
}

// -----

// The divisor may not be 0.
func.func @divisor(%a: !fixed.int<0, 9>) {
  // expected-error @+1 {{[FIX003]}}
  %b = fixed.div floor %a, %a : !fixed.int<0, 9>, !fixed.int<0, 9> -> !fixed.int<0, 9>
  return
}

// -----

// A shift is by 0 to 63.
func.func @negative(%a: !fixed.int<-1, 3>) {
  // expected-error @+1 {{[FIX004]}}
  %b = fixed.shl %a, %a : !fixed.int<-1, 3>, !fixed.int<-1, 3> -> !fixed.int<-8, 24>
  return
}

// -----

// A double does not hold 2^53 + 1.
func.func @real(%x: f64) {
  // expected-error @+1 {{[FIX005]}}
  %b = fixed.from_real round %x : f64 -> !fixed.int<0, 9007199254740993>
  return
}
