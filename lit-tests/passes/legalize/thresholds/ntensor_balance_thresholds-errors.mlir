// RUN: exits 1 nopt %S/ntensor_balance_thresholds.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-balance-thresholds' 2>&1 | filecheck %s --check-prefix=SAMPLES
// RUN: exits 2 nopt %S/ntensor_balance_thresholds.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-balance-thresholds{percentile=0}' 2>&1 | filecheck %s --check-prefix=PERCENTILE
// RUN: exits 2 nopt %S/ntensor_balance_thresholds.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-balance-thresholds{by=error percentile=99}' 2>&1 | filecheck %s --check-prefix=CONFLICT
// RUN: exits 2 nopt %S/ntensor_balance_thresholds.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-balance-thresholds{nodes=fc1}' 2>&1 | filecheck %s --check-prefix=NODES
// RUN: exits 1 nopt %S/ntensor_balance_thresholds.mlir -p 'ntensor-balance-thresholds' 2>&1 | filecheck %s --check-prefix=TIME
// RUN: nopt %S/ntensor_balance_thresholds.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-calibrate{data="constant:0.1,ticks=64,samples=2" keep=2},ntensor-balance-thresholds{percentile=1 nodes=if1}' 2>&1 | filecheck %s --check-prefix=WORSE
// RUN: exits 1 nopt %S/ntensor_balance_thresholds.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-set-neuron-model{to=%S/../inputs/constant_threshold.neuron approximate=initial,reset},ntensor-calibrate{data="constant:1,ticks=8" keep=1},ntensor-balance-thresholds' 2>&1 | filecheck %s --check-prefix=CONSTANT
// RUN: not nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-calibrate{data="constant:1,ticks=8" keep=1},ntensor-balance-thresholds' 2>&1 | filecheck %s

// SAMPLES:         error[LEG192]: no population has a threshold to balance [no-thresholds-to-balance]
// SAMPLES-NEXT:      at: ntensor.network @one
// SAMPLES-NEXT:      expected: samples that ntensor-calibrate keeps, and populations of reals that spike at a threshold
// SAMPLES-NEXT:      found: no samples
// SAMPLES-NEXT:      help: nopt {{.*}}ntensor-calibrate{data=x.npy keep=256},ntensor-balance-thresholds'
// PERCENTILE:      error[LEG194]: the percentile of activations is out of range [activation-percentile-out-of-range]
// PERCENTILE-NEXT:   at: percentile=0
// PERCENTILE-NEXT:   expected: above 0 and up to 100
// PERCENTILE-NEXT:   found: 0
// PERCENTILE-NEXT:   help: nopt {{.*}}ntensor-balance-thresholds{percentile=99.9}'
// CONFLICT:        error[LEG195]: options of a balance contradict each other [balance-options-conflict]
// CONFLICT-NEXT:     at: by=error percentile=99
// CONFLICT-NEXT:     expected: a percentile with by=percentile only
// CONFLICT-NEXT:     found: by=error
// CONFLICT-NEXT:     help: nopt {{.*}}ntensor-balance-thresholds{by=error}'
// NODES:           error[ANA031]: ntensor-balance-thresholds has no node "fc1" to work on
// NODES:             expected: one of if1, if2
// TIME:            error[NTE009]

// With a threshold of 0.303, at which the second neuron saturates, the rates are further from the activations of 0.3 and 0.6.
// WORSE:           remark[LEG193]: balanced thresholds do not improve the rates [thresholds-not-improved]
// WORSE-NEXT:        at: ntensor.network @one
// WORSE-NEXT:        expected: rates, or values before the outputs, that are nearer to the activations, and as many of their decisions
// WORSE-NEXT:        found: no population whose rates are nearer with another threshold
// WORSE-NOT:       "ntensor-balance-thresholds

// The threshold is a number in the update.
// CONSTANT:        error[LEG191]: a threshold cannot be scaled [threshold-not-scalable]
// CONSTANT-NEXT:     at: ntensor.neuron "if1"
// CONSTANT-NEXT:     expected: a raw parameter of @own that is the threshold
// CONSTANT-NEXT:     found: r
// CONSTANT-NEXT:     help: declare it in the neuron: param v_threshold, canonical threshold = v_threshold

// No trained network without time has a loop.
// CHECK:      error[LEG190]: a population is not an activation of a trained network [population-not-activation]
// CHECK-NEXT:   at: ntensor.neuron "n"
// CHECK-NEXT:   expected: a network without loops
// CHECK-NEXT:   found: a loop
// CHECK-NEXT:   help: nopt explain LEG190
nir.graph @loop("in" %in: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %s = nir.sum %in, %r : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %z = nir.if "n" %s {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %r = nir.linear "rec" %z {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %z : tensor<1xi1>
}

// -----

// A leaky integrator before a population has a state, and no threshold.
// CHECK:      error[LEG190]: a population is not an activation of a trained network
// CHECK-NEXT:   at: ntensor.neuron "li"
// CHECK-NEXT:   expected: a population that spikes at a threshold
// CHECK-NEXT:   found: nir.li
nir.graph @values("in" %in: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %v = nir.li "li" %in {tau = #nopt.array<0.01 : tensor<f64>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = nir.if "n" %v {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}

// -----

// CHECK:      error[LEG192]: no population has a threshold to balance
// CHECK:        found: no population with a threshold
// CHECK-NEXT:   help: nopt explain LEG192
nir.graph @readout("in" %in: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %v = nir.li "li" %in {tau = #nopt.array<0.01 : tensor<f64>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %v : tensor<1xf32>
}
