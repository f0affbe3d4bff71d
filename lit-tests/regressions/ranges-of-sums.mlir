// C code was refused for integer networks with a pool or a loop: the sums were bounded by the types of operands, not by their values.
// RUN: nopt compile %s --target c --dt 1ms --like norse -p 'ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=neuron},ntensor-set-neuron-model{to=loihi}' -o %t.loihi -v | filecheck %s
// RUN: nopt compile %s --target c --dt 1ms --like norse -p 'ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=neuron},ntensor-set-neuron-model{to=spinnaker}' -o %t.spinnaker -v | filecheck %s
// RUN: nopt compile %S/inputs/counting.mlir --target c --dt 1ms --like sinabs -p 'ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=neuron},ntensor-set-neuron-model{to=speck}' -o %t.speck -v | filecheck %s --check-prefix=SPECK
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=neuron},ntensor-set-neuron-model{to=loihi},print-integer-ranges' -o /dev/null 2>&1 | filecheck %s --check-prefix=RANGES

// A pool of four spikes is at most 4, although its type holds 127: 8 weights of 64 times 4 are 2048, which fits i16. The loop adds 2 times
// 64. With the types as bounds the sums would be up to 8 * 64 * 127 = 65024, and 65535 with the loop.
// CHECK: size: 1 population
// RANGES: note: ntensor.sum_pool2d "pool": sums in 0..4, i8
// RANGES: note: ntensor.linear "fc": sums in 0..2048, i16
// RANGES: note: ntensor.sum: sums in 0..2176, i16
// RANGES: note: ntensor.linear "rec": sums in 0..128, i16

// Counts of Speck have 32 bits, but a population with the threshold 64 emits at most (32767 + 64) / 64 = 512 a tick.
// SPECK: size: 2 populations
nir.graph @pooled("in" %x: tensor<2x4x4xf32>) -> ("out": tensor<2xi1>) {
  %p = nir.sum_pool2d "pool" %x {kernel_size = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<2x4x4xf32> -> tensor<2x2x2xf32>
  %f = nir.flatten "flat" %p {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<2 : tensor<i64>>} : tensor<2x2x2xf32> -> tensor<8xf32>
  %a = nir.linear "fc" %f {weight = #nopt.array<[[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]] : tensor<2x8xf32>>} : tensor<8xf32> -> tensor<2xf32>
  %r = nir.linear "rec" %z {weight = #nopt.array<[[1.0, 1.0], [1.0, 1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %s = nir.sum %a, %r : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = nir.lif "lif" %s {tau = #nopt.array<[0.004, 0.004] : tensor<2xf64>>, r = #nopt.array<[4.0, 4.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[2.0, 2.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
