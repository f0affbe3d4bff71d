// The pass refuses no network: different entries are kept. Only constant rules are checked; no rule is expanded.
// RUN: nopt %s --split-input-file -p nir-contract-parameters | filecheck %s
// RUN: not nopt %s -p 'nir-contract-parameters{tolerance=0.1}' 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error[COR013]: invalid options for nir-contract-parameters
// OPTION: help: nopt passes nir-contract-parameters

// CHECK: r = #nopt.array<[1.0, 1.0000001] : tensor<2xf32>>
nir.graph @almost("input" %x: tensor<2xf32>) -> ("output": tensor<2xf32>) {
  %z = nir.i "i" %x {r = #nopt.array<[1.0, 1.0000001] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %z : tensor<2xf32>
}

// -----

// CHECK: delays = #nopt.array<0.5 : tensor<f32>>
// CHECK: delays = #nopt.array<uniform(low = 0.0, high = 1.0, seed = 1) : tensor<100000x100000xf32>>
nir.graph @rules("input" %x: tensor<100000xf32>) -> ("a": tensor<100000xf32>, "b": tensor<100000xf32>) {
  %a = nir.linear "constant" %x {weight = #nopt.array<normal(mean = 0.0, std = 0.1, seed = 1) : tensor<100000x100000xf32>>, delays = #nopt.array<constant(value = 0.5) : tensor<100000x100000xf32>>} : tensor<100000xf32> -> tensor<100000xf32>
  %b = nir.linear "uniform" %x {weight = #nopt.array<normal(mean = 0.0, std = 0.1, seed = 1) : tensor<100000x100000xf32>>, delays = #nopt.array<uniform(low = 0.0, high = 1.0, seed = 1) : tensor<100000x100000xf32>>} : tensor<100000xf32> -> tensor<100000xf32>
  nir.output %a, %b : tensor<100000xf32>, tensor<100000xf32>
}
