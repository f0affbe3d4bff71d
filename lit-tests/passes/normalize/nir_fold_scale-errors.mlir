// The pass refuses no network: scales that cannot be folded are kept, including a scale that reads itself.
// RUN: nopt %s -p nir-fold-scale | filecheck %s
// RUN: not nopt %s -p 'nir-fold-scale{rounding}' 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error[COR013]: invalid options for nir-fold-scale
// OPTION: expected: no options
// OPTION: help: nopt passes nir-fold-scale
// RUN: nopt passes nir-fold-scale | filecheck %s --check-prefix=HELP
// HELP: ntensor-fold-scale

// CHECK: [[Y:%.+]] = nir.scale "circle" [[Y]]
nir.graph @circle("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %y = nir.scale "circle" %y {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xf32>
}
