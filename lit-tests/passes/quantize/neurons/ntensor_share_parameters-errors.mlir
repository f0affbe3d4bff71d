// RUN: exits 2 nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-share-parameters{max-classes=0}' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: exits 2 nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-share-parameters{nodes=ones}' 2>&1 | filecheck %s --check-prefix=NODES
// RUN: exits 1 nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="dynapse/se2" set="topology.cores=3","topology.mesh.cores=3"}' 2>&1 | filecheck %s --check-prefix=PERMISSION

// NONE:        error[QUA050]: a number of classes is out of range [class-number-out-of-range]
// NONE-NEXT:     at: max-classes=0
// NONE-NEXT:     expected: 1 or more
// NONE-NEXT:     found: 0
// NONE-NEXT:     help: nopt {{.*}}ntensor-share-parameters'
// NODES:       error[ANA031]: ntensor-share-parameters has no node "ones" to work on
// NODES:         expected: one of one, two
// PERMISSION:  error[LEG101]: dynapse/se2 approximates the network: current, decay, leak, threshold
// PERMISSION:    found: parameters shared: one has 2 sets
nir.graph @taus("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[8.0, 10.0], [4.0, 8.0], [6.0, 4.0]] : tensor<3x2xf32>>} : tensor<2xi1> -> tensor<3xf32>
  %y = nir.lif "one" %a {tau = #nopt.array<[0.02, 0.021, 0.01] : tensor<3xf64>>, r = #nopt.array<[1.0, 1.0, 1.0] : tensor<3xf32>>, v_leak = #nopt.array<[0.0, 0.0, 0.0] : tensor<3xf32>>, v_threshold = #nopt.array<[1.0, 1.0, 1.0] : tensor<3xf32>>, v_reset = #nopt.array<[0.0, 0.0, 0.0] : tensor<3xf32>>} : tensor<3xf32> -> tensor<3xi1>
  %b = nir.linear "fc2" %y {weight = #nopt.array<[[8.0, 10.0, 4.0]] : tensor<1x3xf32>>} : tensor<3xi1> -> tensor<1xf32>
  %z = nir.lif "two" %b {tau = #nopt.array<[0.02] : tensor<1xf64>>, r = #nopt.array<[1.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
