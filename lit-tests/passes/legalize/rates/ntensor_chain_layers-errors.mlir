// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-chain-layers' 2>&1 | filecheck %s --check-prefix=TICKS
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=3},ntensor-chain-layers' 2>&1 | filecheck %s --check-prefix=OUTPUTS

// TICKS:      error[LEG141]: the layers of a network form no chain
// TICKS-NEXT:   at: ntensor.neuron "a"
// TICKS-NEXT:   expected: populations that are layers of counts
// TICKS-NEXT:   found: another population

// OUTPUTS:      error[LEG141]: the layers of a network form no chain
// OUTPUTS-NEXT:   at: ntensor.network @both
// OUTPUTS-NEXT:   expected: one input and one output
// OUTPUTS-NEXT:   found: 1 inputs, 2 outputs
nir.graph @both("in" %in: tensor<1xi1>) -> ("out": tensor<1xi1>, "early": tensor<1xi1>) {
  %a = nir.linear "wa" %in {weight = #nopt.array<[[5.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %x = nir.if "a" %a {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  %b = nir.linear "wb" %x {weight = #nopt.array<[[6.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %y = nir.if "b" %b {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[2.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %y, %x : tensor<1xi1>, tensor<1xi1>
}
