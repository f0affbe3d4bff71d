// RUN: exits 1 nopt %s -t synapse --split-input-file 2>&1 | filecheck %s

// The language clips the weight after each assignment.
// CHECK: error[SYN008]: the synapse language does not support: an assignment of w that does not end within its bounds
// CHECK-NEXT: at: ntensor.rule @unbounded
ntensor.rule @unbounded <axonal> weight "w" derive {
^bb0(%dt: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.constant 1.0 : f64
  ntensor.derived %0, %1 : f64, f64
} on ["pre"] {
^bb0(%w: f64):
  %one = arith.constant 1.0 : f64
  %0 = arith.addf %w, %one : f64
  ntensor.learned %0 : f64
}

// -----

// A random number that nothing reads numbers the others.
// CHECK: error[SYN008]: the synapse language does not support: random number q, which nothing reads
// CHECK-NEXT: at: ntensor.rule @unread
ntensor.rule @unread <axonal> weight "w" randoms ["q"] derive {
^bb0(%dt: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.constant 1.0 : f64
  ntensor.derived %0, %1 : f64, f64
} on ["pre"] {
^bb0(%w: f64, %q: f64):
  ntensor.learned %w : f64
}

// -----

// The language has no powers.
// CHECK: error[SYN008]: the synapse language does not support: math.powf
// CHECK-NEXT: at: ntensor.rule @powers
ntensor.rule @powers <axonal> weight "w" synapse ["c"] derive {
^bb0(%dt: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.constant 1.0 : f64
  ntensor.derived %0, %1 : f64, f64
} initial {
  %0 = arith.constant 0.5 : f64
  ntensor.initial %0 : f64
} on ["pre"] {
^bb0(%w: f64, %c: f64):
  %0 = math.powf %c, %c : f64
  ntensor.learned %w, %0 : f64, f64
}

// -----

// A trace of the target that never changes, without an event at which it could.
// CHECK: error[SYN008]: the synapse language does not support: state y, which never changes
// CHECK-NEXT: at: ntensor.rule @still
ntensor.rule @still <axonal> weight "w" post ["y"] derive {
^bb0(%dt: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.constant 1.0 : f64
  ntensor.derived %0, %1 : f64, f64
} initial {
  %0 = arith.constant 0.5 : f64
  ntensor.initial %0 : f64
} on ["pre"] {
^bb0(%w: f64, %y: f64):
  %0 = arith.constant 0.0 : f64
  %1 = arith.maximumf %y, %0 : f64
  %2 = arith.constant 1.0 : f64
  %3 = arith.minimumf %1, %2 : f64
  ntensor.learned %3, %y : f64, f64
}
