// RUN: not nopt %s -p 'ntensor-freeze-plasticity{nodes=oen}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'ntensor-freeze-plasticity{nodes=one}' | filecheck %s --check-prefix=ONE

// CHECK: error[ANA031]: ntensor-freeze-plasticity has no node "oen" to work on
// CHECK-NEXT:   at: nodes
// CHECK-NEXT:   expected: one of one, two
// CHECK-NEXT:   found: oen
// CHECK-NEXT:   help: nopt {{.*}}ntensor_freeze_plasticity-errors.mlir -p 'ntensor-freeze-plasticity{nodes=one}'

// The help line works.
// ONE-LABEL:   ntensor.network @plastic
// ONE-SAME:      ["one"], none, none, "none"
// ONE-NEXT:      ntensor.linear "one" %{{\S+}} {weight = #nopt.array<{{.*}} : tensor<1x2xf64>>} :
// ONE-NEXT:      ntensor.linear "two" {{.*}} plasticity = #nir.stdp
ntensor.network @plastic("in" %x: tensor<2xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "one" %x {weight = #nopt.array<[[1.0, 2.0]] : tensor<1x2xf64>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<2xi1> -> tensor<1xf64>
  %w = ntensor.linear "two" %y {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<1xf64> -> tensor<1xf64>
  ntensor.output %w : tensor<1xf64>
}
