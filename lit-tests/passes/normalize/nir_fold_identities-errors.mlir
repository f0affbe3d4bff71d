// The pass refuses no network; nodes that read only each other are kept, for all options.
// RUN: nopt %s -p 'nir-fold-identities{in-loops}' | filecheck %s
// RUN: not nopt %s -p 'nir-fold-identities{in-loops=3}' 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error[COR013]: invalid options for nir-fold-identities
// OPTION: help: nopt passes nir-fold-identities
// RUN: nopt passes nir-fold-identities | filecheck %s --check-prefix=HELP
// HELP: in-loops

// CHECK: [[A:%.+]] = nir.identity "b" [[A]] :
nir.graph @circle("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %a = nir.identity "a" %b : tensor<1xf32> -> tensor<1xf32>
  %b = nir.identity "b" %a : tensor<1xf32> -> tensor<1xf32>
  nir.output %a : tensor<1xf32>
}
