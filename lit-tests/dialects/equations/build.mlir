// RUN: nopt %S/inputs/lif.neuron | filecheck %s
// RUN: nopt %S/inputs/lif.neuron | nopt - | filecheck %s
// RUN: nopt %S/inputs/lif.neuron --print-op-generic | nopt - | filecheck %s

// The first value of each option is chosen. `half` and `unused` are dropped because they have no use; `tau` is only used to derive `k`.
// CHECK:      ntensor.update @lif.value <spike> inputs ["x"] states ["v", "c"]
// CHECK-SAME:   params ["r", "v_leak", "v_threshold", "v_reset", "k"] raw ["tau", "r", "v_leak", "v_threshold", "v_reset"]
// CHECK-SAME:   canonical ["decay", "threshold"] records ["before"] derive {
// CHECK-NEXT: ^{{.*}}(%dt: f64, %tau: f64, %r: f64, %v_leak: f64, %v_threshold: f64, %v_reset: f64):
// CHECK-NEXT:   [[Q:%.*]] = arith.divf %dt, %tau : f64
// CHECK-NEXT:   %k = ntensor.let "k" [[Q]] : f64
// CHECK-NEXT:   [[ONE:%.*]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:   [[DECAY:%.*]] = arith.subf [[ONE]], %k : f64
// CHECK-NEXT:   ntensor.derived %r, %v_leak, %v_threshold, %v_reset, %k, [[DECAY]], %v_threshold : f64, f64, f64, f64, f64, f64, f64

// A state without a value starts at 0 of its type.
// CHECK:      } initial {
// CHECK:        fixed.widen {{.*}} : !fixed.int<0, 0> -> !fixed.int<0, 3>

// `before` records v at its position in the text. In `c - 1 if c > 0` the interval of c is 1 to 3.
// CHECK:      } step {
// CHECK-NEXT: ^{{.*}}(%x: f64, [[V:%.*]]: f64, [[C:%.*]]: !fixed.int<0, 3>,
// CHECK:        [[REFINED:%.*]] = fixed.refine [[C]] : !fixed.int<0, 3> -> !fixed.int<1, 3>
// CHECK:        fixed.sub [[REFINED]], {{.*}} -> !fixed.int<0, 2>
// CHECK:        ntensor.emit %{{.*}}, %{{.*}}, %{{.*}}, [[V]] : i1, f64, !fixed.int<0, 3>, f64

// The operand of an input that wraps is an exact sum, which is wrapped once; v + (a << 1) lies in -128 - 64 .. 127 + 62.
// CHECK:      ntensor.update @integers <count>
// CHECK:        [[A:%.*]] = fixed.wrap %{{.*}} : !fixed.int<-9223372036854775808, 9223372036854775807> -> !fixed.int<-32, 31>
// CHECK-NEXT:   ntensor.let "a" [[A]]
// CHECK:        fixed.add {{.*}} -> !fixed.int<-192, 189>
// CHECK-NEXT:   fixed.saturate {{.*}} : !fixed.int<-192, 189> -> !fixed.int<-128, 127>
// CHECK:        fixed.div floor {{.*}} : !fixed.int<-128, 127>, !fixed.int<1, 100> -> !fixed.int<-128, 127>
// CHECK:        fixed.saturate {{.*}} : !fixed.int<-128, 127> -> !fixed.int<0, 3>

// Inputs that accumulate are not inputs of the step. A term is reduced to the width of its input, and each sum to that of the state:
// -128 - 32 .. 127 + 31 saturates, 0 + 0 .. 15 + 15 wraps. A term of s4 already has the width of its type.
// CHECK:      ntensor.update @events <spike> inputs ["x"] states ["i", "c", "v"]
// CHECK:      } step {
// CHECK-NEXT: ^{{.*}}(%x: !fixed.int<-128, 127>, %i: !fixed.int<-128, 127>, %c: !fixed.int<0, 15>, %v: !fixed.int<-512, 511>):
// CHECK:      } each ["a", "b", "n"] into ["i", "i", "c"] accumulate {
// CHECK-NEXT: ^{{.*}}(%a: !fixed.int<-9223372036854775808, 9223372036854775807>, [[I:%.*]]: !fixed.int<-128, 127>):
// CHECK-NEXT:   [[A:%.*]] = fixed.saturate %a : !fixed.int<-9223372036854775808, 9223372036854775807> -> !fixed.int<-32, 31>
// CHECK-NEXT:   [[LET:%.*]] = ntensor.let "a" [[A]]
// CHECK-NEXT:   [[SUM:%.*]] = fixed.add [[I]], [[LET]] : {{.*}} -> !fixed.int<-160, 158>
// CHECK-NEXT:   [[MET:%.*]] = fixed.saturate [[SUM]] : !fixed.int<-160, 158> -> !fixed.int<-128, 127>
// CHECK-NEXT:   [[AFTER:%.*]] = ntensor.let "i" [[MET]]
// CHECK-NEXT:   ntensor.accumulated [[AFTER]]
// CHECK-NEXT: } {
// CHECK-NEXT: ^{{.*}}(%b: !fixed.int<-8, 7>, {{%.*}}: !fixed.int<-128, 127>):
// CHECK:      } {
// CHECK-NEXT: ^{{.*}}(%n: !fixed.int<0, 15>, {{%.*}}: !fixed.int<0, 15>):
// CHECK:        fixed.wrap %{{.*}} : !fixed.int<0, 30> -> !fixed.int<0, 15>
