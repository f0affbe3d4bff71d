// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs}' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs rate-window=0}' 2>&1 | filecheck %s --check-prefix=ZERO
// RUN: not nopt run %s --input none.npy --dt 1ms --like sinabs 2>&1 | filecheck %s --check-prefix=VERB
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs rate-window=8388608}' 2>&1 | filecheck %s --check-prefix=LONG

// NONE:      error[ANA009]: the window of rates is not given
// NONE-NEXT:   at: nir.graph @net
// NONE-NEXT:   expected: rate-window=N, the window that counts the spikes of a rate, of 1 tick or more
// NONE-NEXT:   found: none, first read by "read"
// NONE-NEXT:   help: nopt {{.*}}rates-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs rate-window=16}'
// ZERO:      error[ANA009]: the window of rates is not positive
// ZERO:        found: 0, first read by "read"
// VERB:      error[ANA009]: the window of rates is not given
// VERB-NEXT:    at: nir.graph @net
// VERB-NEXT:    expected: --rate-window TICKS, the window that counts the spikes of a rate, of 1 or more
// VERB-NEXT:    found: none, first read by "read"
// VERB-NEXT:    help: nopt run {{.*}}rates-errors.mlir --input none.npy --dt 1ms --like sinabs --rate-window 16

// A neuron of sinabs emits at most 2^31 - 1 spikes in a tick: 31 bits. 2^23 ticks add 23 bits.
// LONG:      error[ANA008]: the window of rates is too long
// LONG-NEXT:   at: nir.linear "read"
// LONG-NEXT:   expected: counts of at most 52 bits
// LONG-NEXT:   found: 54 bits, for 8388608 ticks of !ntensor.count<31>
// LONG-NEXT:   help: nopt {{.*}}rates-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs rate-window=16}'
nir.graph @net("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %z = nir.if "cell" %x {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %r = nir.linear "read" %z {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>, transmission = #nir.transmission<rate>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %r : tensor<1xf32>
}
