// RUN: nopt %s --split-input-file --verify-diagnostics

// The lower end of an interval must not exceed the upper end.
// expected-error @+1 {{[FIX001]}}
func.func @empty(%a: !fixed.int<3, 2>) {
  return
}

// -----

// An interval must not exceed 64 signed bits.
// expected-error @+1 {{[FIX001]}}
func.func @wide(%a: !fixed.int<0, 9223372036854775808>) {
  return
}

// -----

// A result must not exceed 64 signed bits, whatever its declared type is.
func.func @overflow(%a: !fixed.int<0, 9223372036854775807>) {
  // expected-error @+1 {{[FIX001]}}
  %b = fixed.add %a, %a : !fixed.int<0, 9223372036854775807>, !fixed.int<0, 9223372036854775807> -> !fixed.int<0, 9223372036854775807>
  return
}

// -----

// The sum of 1..3 and 1..3 is 2..6.
func.func @result(%a: !fixed.int<1, 3>) {
  // expected-error @+1 {{[FIX002]}}
  %b = fixed.add %a, %a : !fixed.int<1, 3>, !fixed.int<1, 3> -> !fixed.int<0, 7>
  return
}

// -----

// The interval of a constant contains only the constant.
func.func @constant() {
  // expected-error @+1 {{[FIX002]}}
  %b = fixed.constant 3 : !fixed.int<0, 3>
  return
}

// -----

// `widen` must not narrow the interval.
func.func @widen(%a: !fixed.int<0, 9>) {
  // expected-error @+1 {{[FIX002]}}
  %b = fixed.widen %a : !fixed.int<0, 9> -> !fixed.int<0, 7>
  return
}

// -----

// `refine` must not widen the interval.
func.func @refine(%a: !fixed.int<0, 9>) {
  // expected-error @+1 {{[FIX002]}}
  %b = fixed.refine %a : !fixed.int<0, 9> -> !fixed.int<-1, 7>
  return
}

// -----

// A divisor must not be 0.
func.func @divisor(%a: !fixed.int<0, 9>) {
  // expected-error @+1 {{[FIX003]}}
  %b = fixed.div floor %a, %a : !fixed.int<0, 9>, !fixed.int<0, 9> -> !fixed.int<0, 9>
  return
}

// -----

// A shift amount must be 0 to 63.
func.func @negative(%a: !fixed.int<-1, 3>) {
  // expected-error @+1 {{[FIX004]}}
  %b = fixed.shl %a, %a : !fixed.int<-1, 3>, !fixed.int<-1, 3> -> !fixed.int<-8, 24>
  return
}

// -----

// f64 does not represent 2^53 + 1.
func.func @real(%x: f64) {
  // expected-error @+1 {{[FIX005]}}
  %b = fixed.from_real round %x : f64 -> !fixed.int<0, 9007199254740993>
  return
}
