// RUN: not nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-unroll-ticks{window=8}' 2>&1 | filecheck %s
// RUN: not nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-unroll-ticks{window=65}' 2>&1 | filecheck %s --check-prefix=WINDOW
// RUN: not nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-unroll-ticks{window=4 approximate=leak}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-unroll-ticks{window=64}' 2>&1 | filecheck %s --check-prefix=LARGE
// RUN: not nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-unroll-ticks{window=4},ntensor-unroll-ticks{window=2}' 2>&1 | filecheck %s --check-prefix=TWICE
// RUN: not nopt %S/../inputs/counts.mlir -p 'ntensor-unroll-ticks{window=4}' 2>&1 | filecheck %s --check-prefix=TIME
// RUN: not nopt %S/../inputs/max_pool.mlir -p 'ntensor-unroll-ticks{window=2}' 2>&1 | filecheck %s --check-prefix=POOL

// POOL:        error[LEG094]: a value is not a sum of weighted events
// POOL-NEXT:     at: ntensor.max_pool2d "pool"
// POOL-NEXT:     expected: synapses, sums, delays and reshapes
// POOL-NEXT:     found: ntensor.max_pool2d
// POOL-NEXT:     help: a device that computes every tick
// WINDOW:      error[LEG093]: an option of the unrolling is out of range
// WINDOW-NEXT:   at: window=65
// WINDOW-NEXT:   expected: 1 to 64
// WINDOW-NEXT:   found: 65
// WINDOW-NEXT:   help: nopt {{.*}}counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-unroll-ticks{window=64}'
// NAME:        error[LEG093]
// NAME-NEXT:     at: approximate
// NAME-NEXT:     expected: dynamics
// NAME-NEXT:     found: leak
// NAME-NEXT:     help: nopt {{.*}}counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-unroll-ticks{window=4 approximate=dynamics}'
// LARGE:       error[LEG097]: the unrolled network is too large
// LARGE-NEXT:    at: ntensor.network @
// LARGE-NEXT:    expected: at most 16777216 weights
// LARGE-NEXT:    found: {{[0-9]+}} weights in {{[0-9]+}} layers of up to {{[0-9]+}} neurons
// LARGE-NEXT:    help: nopt {{.*}}counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-unroll-ticks{window=14}'
// TWICE:       error[LEG099]: the network computes frames already
// TIME:        error[NTE009]: no network in ticks

// The update runs with random inputs: a reset to a value keeps nothing of what exceeds the threshold.
// CHECK:      error[LEG095]: the potential of a population is not a sum of its inputs and spikes
// CHECK-NEXT:   at: ntensor.neuron "if"
// CHECK-NEXT:   expected: a linear leak and a reset that subtracts the threshold, or no reset
// CHECK-NEXT:   found: other spikes in {{[0-9]+}} of 2048 ticks of random inputs, in @norse_if.value
// CHECK-NEXT:   help: nopt {{.*}}ntensor_unroll_ticks-errors.mlir --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-unroll-ticks{window=8 approximate=dynamics}'
// CHECK-NEXT:   note: --reset subtract converts a network that was trained with such a reset
nir.graph @value("in" %in: tensor<1xi1>) -> ("out": tensor<1xi1>) {
  %z = nir.if "if" %in {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.5] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xi1> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}

// -----

// CHECK:      error[LEG096]: an input is neither spikes nor counts
// CHECK-NEXT:   at: input in
// CHECK-NEXT:   expected: spikes or counts
// CHECK-NEXT:   found: f64
// CHECK-NEXT:   help: nopt {{.*}}ntensor_unroll_ticks-errors.mlir --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-quantize-inputs{kind=spike},ntensor-unroll-ticks{window=8}'
nir.graph @reals("in" %in: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %z = nir.if "if" %in {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.5] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}

// -----

// CHECK:      error[LEG098]: an unrolled network has no weights that learn
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: weights that stay
// CHECK-NEXT:   found: nir.stdp
// CHECK-NEXT:   help: nopt {{.*}}ntensor_unroll_ticks-errors.mlir --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-freeze-plasticity,ntensor-unroll-ticks{window=8}'
nir.graph @learning("in" %in: tensor<1xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<1xi1> -> tensor<1xf32>
  %z = nir.if "if" %a {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.5] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}

// -----

// CHECK:      error[LEG095]
// CHECK-NEXT:   at: ntensor.neuron "li"
// CHECK-NEXT:   expected: spikes between two layers
// CHECK-NEXT:   found: values, which ntensor.linear "fc" reads
nir.graph @values("in" %in: tensor<1xi1>) -> ("out": tensor<1xi1>) {
  %v = nir.li "li" %in {tau = #nopt.array<0.01 : tensor<f64>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>} : tensor<1xi1> -> tensor<1xf32>
  %a = nir.linear "fc" %v {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = nir.if "if" %a {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.5] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}

// -----

// CHECK:      error[LEG100]: no event of a frame reaches an output
// CHECK-NEXT:   at: ntensor.network @late
// CHECK-NEXT:   expected: an output that depends on the frame
// CHECK-NEXT:   found: 8 ticks
// CHECK-NEXT:   help: nopt {{.*}}ntensor_unroll_ticks-errors.mlir --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-unroll-ticks{window=16}'
nir.graph @late("in" %in: tensor<1xi1>) -> ("out": tensor<1xf32>) {
  %d = nir.delay "d" %in {delay = #nopt.array<0.009 : tensor<f64>>} : tensor<1xi1> -> tensor<1xi1>
  %v = nir.li "li" %d {tau = #nopt.array<0.01 : tensor<f64>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %v : tensor<1xf32>
}
