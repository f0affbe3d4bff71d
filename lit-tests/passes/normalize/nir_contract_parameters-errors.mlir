// The pass refuses no network: what differs stays.
// RUN: nopt %s -p nir-contract-parameters | filecheck %s
// RUN: not nopt %s -p 'nir-contract-parameters{tolerance=0.1}' 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error[PAS002]: nir-contract-parameters does not take these options
// OPTION: help: nopt passes nir-contract-parameters

// CHECK: r = #nopt.array<[1.0, 1.0000001] : tensor<2xf32>>
nir.graph @almost("input" %x: tensor<2xf32>) -> ("output": tensor<2xf32>) {
  %z = nir.i "i" %x {r = #nopt.array<[1.0, 1.0000001] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %z : tensor<2xf32>
}
