// RUN: python %S/inputs/save.py %t.npy '[[1, 0], [0, 0], [1, 1], [0, 0]]'
// RUN: exits 1 nopt run %S/inputs/plastic_missing.mlir --input %t.npy 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: exits 1 nopt run %S/inputs/plastic_values.mlir --input %t.npy 2>&1 | filecheck %s --check-prefix=VALUES
// RUN: exits 1 nopt run %S/inputs/plastic_observed.mlir --input %t.npy 2>&1 | filecheck %s --check-prefix=OBSERVED
// RUN: exits 1 nopt run %S/inputs/plastic_signal.mlir --input %t.npy 2>&1 | filecheck %s --check-prefix=SIGNAL
// RUN: exits 1 nopt run %S/inputs/plastic_kinds.mlir --input %t.npy 2>&1 | filecheck %s --check-prefix=KINDS

// The rule is a symbol of the module.
// MISSING: plastic_missing.mlir:30:3: error[SIM031]: the rule of a plastic synapse is not in the module
// MISSING-NEXT: at: ntensor.linear "fc"
// MISSING-NEXT: expected: @depress
// MISSING-NEXT: found: @depres
// MISSING-NEXT: help: nopt run {{.*}}plastic_missing.mlir --input {{.*}} -p ntensor-freeze-plasticity

// Weights start within the bounds of the rule.
// VALUES: plastic_values.mlir:30:3: error[SIM033]: a weight is outside of the bounds of its rule
// VALUES-NEXT: at: ntensor.linear "fc"
// VALUES-NEXT: expected: weights in 0..1
// VALUES-NEXT: found: 1.5
// VALUES-NEXT: help: nopt run {{.*}}plastic_values.mlir --input {{.*}} -p ntensor-freeze-plasticity

// An observed state is one of the population.
// OBSERVED: plastic_observed.mlir:30:3: error[SIM034]: a rule observes a state that the population lacks
// OBSERVED-NEXT: at: ntensor.linear "fc"
// OBSERVED-NEXT: expected: a population with states
// OBSERVED-NEXT: found: v
// OBSERVED-NEXT: help: nopt run {{.*}}plastic_observed.mlir --input {{.*}} -p ntensor-freeze-plasticity

// A modulator is an input or a node.
// SIGNAL: plastic_signal.mlir:30:3: error[SIM032]: a rule needs spikes on both sides, and numbers of its own kind
// SIGNAL-NEXT: at: ntensor.linear "fc"
// SIGNAL-NEXT: expected: one of x, fc, cell
// SIGNAL-NEXT: found: dopamine
// SIGNAL-NEXT: help: nopt run {{.*}}plastic_signal.mlir --input {{.*}} -p ntensor-freeze-plasticity

// A rule reads spikes, not values.
// KINDS: plastic_kinds.mlir:30:3: error[SIM032]: a rule needs spikes on both sides, and numbers of its own kind
// KINDS-NEXT: at: ntensor.linear "fc"
// KINDS-NEXT: expected: spikes (i1)
// KINDS-NEXT: found: f64
// KINDS-NEXT: help: nopt run {{.*}}plastic_kinds.mlir --input {{.*}} -p ntensor-freeze-plasticity
