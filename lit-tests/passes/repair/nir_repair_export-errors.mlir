// RUN: not nopt %S/inputs/norse_lif.mlir -p 'nir-repair-export{by=rockpool dt-ns=1000000}' 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: not nopt %S/inputs/rockpool_lif.mlir -p 'nir-repair-export{by=rockpool dt-ns=100000}' 2>&1 | filecheck %s --check-prefix=STEP
// RUN: not nopt %S/inputs/norse_lif.mlir -p 'nir-repair-export{by=norse}' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not nopt %S/inputs/norse_lif.mlir -p 'nir-repair-export{by=norse dt-ns=0}' 2>&1 | filecheck %s --check-prefix=ZERO
// RUN: not nopt %S/inputs/norse_lif.mlir -p 'nir-repair-export{by=norse dt-ns=1000000},nir-repair-export{by=norse dt-ns=1000000}' 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: nopt %s -p 'nir-repair-export{by=norse dt-ns=1000000}' 2>&1 | filecheck %s --check-prefix=IDLE

// The numbers of another exporter.
// OTHER: error[NRM011]: rockpool does not write such numbers
// OTHER-NEXT:   at: nir.lif "lif"
// OTHER-NEXT:   expected: abs(r * dt * exp(dt / tau) - tau) <= 1e-4 * tau, as rockpool writes
// OTHER-NEXT:   found: tau = 2e-05, r = 1, v_leak = 0, v_threshold = 1, v_reset = 0, dt = 0.001
// OTHER-NEXT:   help: leave nir-repair-export out

// Another time step than in the export.
// STEP: error[NRM011]: rockpool does not write such numbers
// STEP: found: tau = 0.02, r = 19.0246, {{.*}} dt = 0.0001

// A missing and an invalid time step.
// NONE: error[NRM012]: the time step of the export is not given
// NONE-NEXT:   at: nir.lif "lif"
// NONE-NEXT:   expected: dt-ns=N, in nanoseconds, of 1 or more
// NONE-NEXT:   found: none
// NONE-NEXT:   help: nopt {{.*}}norse_lif.mlir -p 'nir-repair-export{by=norse dt-ns=1000000}'
// ZERO: error[NRM012]: the time step of the export is not given
// ZERO: found: dt-ns=0

// A second repair would change correct numbers.
// TWICE: error[NRM013]: the network was repaired before
// TWICE-NEXT:   at: nir.graph @norse_lif
// TWICE-NEXT:   expected: a graph without repairs
// TWICE-NEXT:   found: nir-repair-export{by=norse dt-ns=1000000}
// TWICE-NEXT:   help: nopt {{.*}}norse_lif.mlir

// A network in which the exporter changes nothing.
// IDLE: remark[NRM015]: the repair of norse changes nothing
// IDLE-NEXT:   at: nir.graph @threshold
// IDLE-NEXT:   expected: a population of lif, li, cuba_lif
// IDLE-NEXT:   found: none
// IDLE-NEXT:   help: leave --exported-by out
nir.graph @threshold("input" %x: tensor<1xf32>) -> ("output": tensor<1xi1>) {
  %z = nir.threshold "t" %x {threshold = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
