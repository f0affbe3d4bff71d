// RUN: nopt %S/inputs/lif.neuron | filecheck %s
// RUN: nopt %S/inputs/lif.neuron | nopt - | filecheck %s
// RUN: nopt %S/inputs/lif.neuron --print-op-generic | nopt - | filecheck %s

// The first value of an option is taken: `half` and `unused` have no use left and are gone, `tau` is needed to derive `k` only.
// CHECK:      ntensor.update @lif.value <spike> inputs ["x"] states ["v", "c"]
// CHECK-SAME:   params ["r", "v_leak", "v_threshold", "v_reset", "k"] raw ["tau", "r", "v_leak", "v_threshold", "v_reset"]
// CHECK-SAME:   canonical ["decay", "threshold"] records ["before"] derive {
// CHECK-NEXT: ^{{.*}}(%dt: f64, %tau: f64, %r: f64, %v_leak: f64, %v_threshold: f64, %v_reset: f64):
// CHECK-NEXT:   [[Q:%.*]] = arith.divf %dt, %tau : f64
// CHECK-NEXT:   %k = ntensor.let "k" [[Q]] : f64
// CHECK-NEXT:   [[ONE:%.*]] = arith.constant 1.000000e+00 : f64
// CHECK-NEXT:   [[DECAY:%.*]] = arith.subf [[ONE]], %k : f64
// CHECK-NEXT:   ntensor.derived %r, %v_leak, %v_threshold, %v_reset, %k, [[DECAY]], %v_threshold : f64, f64, f64, f64, f64, f64, f64

// A state without a value starts at 0, in the type that it has.
// CHECK:      } initial {
// CHECK:        fixed.widen {{.*}} : !fixed.int<0, 0> -> !fixed.int<0, 3>

// `before` shows v as it was where the record stands; `c - 1 if c > 0` knows that c is 1 to 3 there.
// CHECK:      } step {
// CHECK-NEXT: ^{{.*}}(%x: f64, [[V:%.*]]: f64, [[C:%.*]]: !fixed.int<0, 3>,
// CHECK:        [[REFINED:%.*]] = fixed.refine [[C]] : !fixed.int<0, 3> -> !fixed.int<1, 3>
// CHECK:        fixed.sub [[REFINED]], {{.*}} -> !fixed.int<0, 2>
// CHECK:        ntensor.emit %{{.*}}, %{{.*}}, %{{.*}}, [[V]] : i1, f64, !fixed.int<0, 3>, f64

// An input that wraps arrives as an exact sum and meets its width once; v + (a << 1) lies in -128 - 64 .. 127 + 62.
// CHECK:      ntensor.update @integers <count>
// CHECK:        [[A:%.*]] = fixed.wrap %{{.*}} : !fixed.int<-9223372036854775808, 9223372036854775807> -> !fixed.int<-32, 31>
// CHECK-NEXT:   ntensor.let "a" [[A]]
// CHECK:        fixed.add {{.*}} -> !fixed.int<-192, 189>
// CHECK-NEXT:   fixed.saturate {{.*}} : !fixed.int<-192, 189> -> !fixed.int<-128, 127>
// CHECK:        fixed.div floor {{.*}} : !fixed.int<-128, 127>, !fixed.int<1, 100> -> !fixed.int<-128, 127>
// CHECK:        fixed.saturate {{.*}} : !fixed.int<-128, 127> -> !fixed.int<0, 3>
