// Identities on loops are kept: this loop has two entries, so the conversion delays every spike edge, three with the identity and two without.
// RUN: nopt %s -p 'nir-fold-identities,convert-nir-to-ntensor{dt-ns=1000000 like=norse}' | filecheck %s --check-prefix=THREE
// RUN: nopt %s -p 'nir-fold-identities{in-loops},convert-nir-to-ntensor{dt-ns=1000000 like=norse}' | filecheck %s --check-prefix=TWO
// THREE-LABEL: ntensor.network @entries
// THREE-SAME: one tick on each of a->same, same->ab, b->ba
// THREE-COUNT-3: ntensor.delay
// TWO-LABEL: ntensor.network @entries
// TWO-SAME: one tick on each of a->ab, b->ba
// TWO-COUNT-2: ntensor.delay
// TWO-NOT: ntensor.delay
nir.graph @entries("x" %x: tensor<1xf32>, "y" %y: tensor<1xf32>) -> ("output": tensor<1xi1>) {
  %s = nir.sum %x, %r : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %a = nir.if "a" %s {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %i = nir.identity "same" %a : tensor<1xi1> -> tensor<1xi1>
  %q = nir.linear "ab" %i {weight = #nopt.array<[[0.25]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %t = nir.sum %y, %q : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %b = nir.if "b" %t {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %r = nir.linear "ba" %b {weight = #nopt.array<[[0.25]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %b : tensor<1xi1>
}
