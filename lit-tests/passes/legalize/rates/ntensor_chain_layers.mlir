// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=3},ntensor-chain-layers' | filecheck %s

// The last population reads both earlier ones, so the second layer repeats the count of the first: a weight of 1, a threshold of 1 / 2 and a level of 1.
// CHECK-LABEL: ntensor.network @skip
// CHECK-NEXT:    [[A:%.+]] = ntensor.linear "a.weights" %in {weight = #nopt.array<{{\[\[}}5.0]] : tensor<1x1xf64>>}
// CHECK-NEXT:    [[X:%.+]] = ntensor.neuron "a" @activation_3([[A]]) {{.*}}threshold = #nopt.array<1.0 : tensor<f64>>, level = #nopt.array<1.0 : tensor<f64>>
// CHECK-NEXT:    [[B:%.+]] = ntensor.linear "b.weights" [[X]] {weight = #nopt.array<{{\[\[}}6.0], [1.0]] : tensor<2x1xf64>>}
// CHECK-NEXT:    [[Y:%.+]] = ntensor.neuron "b+a" @activation_3([[B]]) {{.*}}threshold = #nopt.array<[2.0, 0.5] : tensor<2xf64>>, level = #nopt.array<[2.0, 1.0] : tensor<2xf64>>
// CHECK-NEXT:    [[C:%.+]] = ntensor.linear "c.weights" [[Y]] {weight = #nopt.array<{{\[\[}}7.0, 8.0]] : tensor<1x2xf64>>}
// CHECK-NEXT:    [[Z:%.+]] = ntensor.neuron "c" @activation_3([[C]])
// CHECK-NEXT:    ntensor.output [[Z]]
nir.graph @skip("in" %in: tensor<1xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "wa" %in {weight = #nopt.array<[[5.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %x = nir.if "a" %a {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  %b = nir.linear "wb" %x {weight = #nopt.array<[[6.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %y = nir.if "b" %b {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[2.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  %c = nir.linear "wc" %y {weight = #nopt.array<[[7.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %d = nir.linear "wd" %x {weight = #nopt.array<[[8.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %s = nir.sum %c, %d : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %z = nir.if "c" %s {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}

// -----

// A chain stays as it is.
// CHECK-LABEL: ntensor.network @chain
// CHECK-NEXT:    ntensor.linear "wa" %in
nir.graph @chain("in" %in: tensor<1xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "wa" %in {weight = #nopt.array<[[5.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %x = nir.if "a" %a {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %x : tensor<1xi1>
}
