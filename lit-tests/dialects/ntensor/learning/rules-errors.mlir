// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// A trace of a presynaptic neuron cannot read the weight.
// CHECK: error[NTE024]: trace x of a neuron depends on something the neuron lacks
// CHECK-NEXT: at: ntensor.rule @r
// CHECK-NEXT: expected: changes at events tick and pre, from x and parameters
// CHECK-NEXT: found: w at event pre
// CHECK-NEXT: help: build the rule from the synapse language, which keeps it consistent
ntensor.rule @r <axonal> weight "w" pre ["x"] derive {
^bb0(%dt: f64):
  ntensor.derived %dt, %dt : f64, f64
} initial {
^bb0():
  %k = arith.constant 0.0 : f64
  ntensor.initial %k : f64
} on ["pre"] {
^bb0(%w: f64, %x: f64):
  ntensor.learned %w, %w : f64, f64
}

// -----

// An event of the other side does not change a trace.
// CHECK: error[NTE024]: trace y of a neuron depends on something the neuron lacks
// CHECK-NEXT: at: ntensor.rule @r
// CHECK-NEXT: expected: changes at events tick and post, from y and parameters
// CHECK-NEXT: found: a change at event pre
// CHECK-NEXT: help: build the rule from the synapse language, which keeps it consistent
ntensor.rule @r <axonal> weight "w" post ["y"] derive {
^bb0(%dt: f64):
  ntensor.derived %dt, %dt : f64, f64
} initial {
^bb0():
  %k = arith.constant 0.0 : f64
  ntensor.initial %k : f64
} on ["pre"] {
^bb0(%w: f64, %y: f64):
  %z = arith.addf %y, %y : f64
  ntensor.learned %w, %z : f64, f64
}

// -----

// An event needs a modulator of its name.
// CHECK: error[NTE024]: an event of the rule is unknown
// CHECK-NEXT: at: ntensor.rule @r
// CHECK-NEXT: expected: one of tick, pre, post
// CHECK-NEXT: found: reward
// CHECK-NEXT: help: build the rule from the synapse language, which keeps it consistent
ntensor.rule @r <axonal> weight "w" derive {
^bb0(%dt: f64):
  ntensor.derived %dt, %dt : f64, f64
} on ["reward"] {
^bb0(%w: f64):
  ntensor.learned %w : f64
}

// -----

// Every event has a region.
// CHECK: error[NTE024]: the numbers of events and of their regions differ
// CHECK-NEXT: at: ntensor.rule @r
// CHECK-NEXT: expected: 2 regions
// CHECK-NEXT: found: 1
// CHECK-NEXT: help: build the rule from the synapse language, which keeps it consistent
ntensor.rule @r <axonal> weight "w" derive {
^bb0(%dt: f64):
  ntensor.derived %dt, %dt : f64, f64
} on ["pre", "post"] {
^bb0(%w: f64):
  ntensor.learned %w : f64
}

// -----

// A region takes all names, and returns the weight and all states.
// CHECK: error[NTE024]: region derive does not match the names that the rule declares
// CHECK-NEXT: at: ntensor.rule @r
// CHECK-NEXT: expected: 1 arguments, and ntensor.derived with 2 operands
// CHECK-NEXT: found: 1 arguments, and ntensor.derived with 1
// CHECK-NEXT: help: build the rule from the synapse language, which keeps it consistent
ntensor.rule @r <axonal> weight "w" derive {
^bb0(%dt: f64):
  ntensor.derived %dt : f64
} on ["pre"] {
^bb0(%w: f64):
  ntensor.learned %w : f64
}

// -----

// Names differ.
// CHECK: error[NTE024]: two names of the rule are equal
// CHECK-NEXT: at: ntensor.rule @r
// CHECK-NEXT: expected: 2 different names
// CHECK-NEXT: found: w, w
// CHECK-NEXT: help: build the rule from the synapse language, which keeps it consistent
ntensor.rule @r <axonal> weight "w" synapse ["w"] derive {
^bb0(%dt: f64):
  ntensor.derived %dt, %dt : f64, f64
} initial {
^bb0():
  %k = arith.constant 0.0 : f64
  ntensor.initial %k : f64
} on ["pre"] {
^bb0(%w: f64, %c: f64):
  ntensor.learned %w, %c : f64, f64
}

// -----

// The weight keeps its type.
// CHECK: error[NTE024]: the type of w after event pre differs from its type in the rule
// CHECK-NEXT: at: ntensor.rule @r
// CHECK-NEXT: expected: f64
// CHECK-NEXT: found: f32
// CHECK-NEXT: help: build the rule from the synapse language, which keeps it consistent
ntensor.rule @r <axonal> weight "w" derive {
^bb0(%dt: f64):
  ntensor.derived %dt, %dt : f64, f64
} on ["pre"] {
^bb0(%w: f64):
  %z = arith.truncf %w : f64 to f32
  ntensor.learned %z : f32
}

// -----

// A rule computes something.
// CHECK: error[NTE024]: the rule computes nothing
// CHECK-NEXT: at: ntensor.rule @r
// CHECK-NEXT: expected: a block of an event, or an efficacy
// CHECK-NEXT: found: neither
// CHECK-NEXT: help: build the rule from the synapse language, which keeps it consistent
ntensor.rule @r <axonal> weight "w" derive {
^bb0(%dt: f64):
  ntensor.derived %dt, %dt : f64, f64
} on []
