// RUN: mutate 's/RULE/0.01, 0.012, 0.02, 65.0, -1.0, 1.0/' %s | nopt check - --dt 1ms --like norse --target loihi2/oheo_gulch | filecheck %s --check-prefix=FITS
// FITS: fits loihi2/oheo_gulch{{.*}}: 1 core

// A time constant beyond 65535 ticks.
// RUN: mutate 's/RULE/0.01, 0.012, 0.02, 66.0, -1.0, 1.0/' %s | not nopt check - --dt 1ms --like norse --target loihi2/oheo_gulch | filecheck %s --check-prefix=SLOW
// SLOW:      error[ANA004]: the chip does not compute this learning rule
// SLOW-NEXT:   place: {{.*}}<stdin>:{{[0-9]+}}:3
// SLOW-NEXT:   at: machine.projection "fc"
// SLOW-NEXT:   expected: time constants of at most 65535 ticks
// SLOW-NEXT:   found: 66000 ticks
// SLOW-NEXT:   help: nopt check - --dt 1ms --like norse --target loihi2/oheo_gulch --approximate plasticity
// RUN: mutate 's/RULE/0.01, 0.012, 0.02, 66.0, -1.0, 1.0/' %s | nopt check - --dt 1ms --like norse --target loihi2/oheo_gulch --passes 'ntensor-freeze-plasticity{nodes=fc}' | filecheck %s --check-prefix=FITS

// With an impulse of 20, the multiple of a constant has a mantissa of 5 * 5, which the chip does not hold. One of 32 is a shift.
// RUN: mutate 's/RULE/0.01, 0.012, 0.02, 0.02, -1.0, 1.0/' %s | not nopt check - --dt 1ms --like norse --target loihi2/oheo_gulch --set plasticity.pairs.impulse=20 | filecheck %s --check-prefix=IMPULSE
// RUN: mutate 's/RULE/0.01, 0.012, 0.02, 0.02, -1.0, 1.0/' %s | nopt check - --dt 1ms --like norse --target loihi2/oheo_gulch --set plasticity.pairs.impulse=32 | filecheck %s --check-prefix=FITS
// IMPULSE:      error[ANA004]: the chip does not compute this learning rule
// IMPULSE:        expected: an impulse whose multiples of constants have mantissas of 4 bits
// IMPULSE-NEXT:   found: {{-?[0-9]+}} * 2^{{-?[0-9]+}}

// A rule that is not on the grid of the device, because legalisation skips it.
// RUN: mutate 's/RULE/0.01, 0.012, 0.02, 0.02, -1.0, 1.0/' %s | not nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=loihi2/oheo_gulch keep=plasticity},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-loihi2' 2>&1 | filecheck %s --check-prefix=GRID
// GRID:      error[ANA004]: the chip does not compute this learning rule
// GRID-NEXT:   at: machine.projection "fc"
// GRID-NEXT:   expected: constants on the grid of the device, as ntensor-quantize-plasticity makes them
// GRID-NEXT:   found: #nir.stdp<

// The learning synapses of a projection are those of one op. A pool before it would share each weight.
// RUN: not nopt check %S/inputs/pooled.mlir --dt 1ms --like norse --target loihi2/oheo_gulch | filecheck %s --check-prefix=POOL
// POOL:      error[ANA004]: the chip does not compute this learning rule
// POOL:        expected: one op with synapses, which learns
// POOL-NEXT:   found: ntensor.sum_pool2d, ntensor.linear
nir.graph @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[0.5, -0.25]] : tensor<1x2xf32>>, plasticity = #nir.stdp<RULE>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.if "out" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
