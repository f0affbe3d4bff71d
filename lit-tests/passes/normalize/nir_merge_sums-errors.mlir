// RUN: not nopt %s --strict -p nir-merge-sums 2>&1 | filecheck %s
// RUN: not nopt %s -p 'nir-merge-sums{x=1}' 2>&1 | filecheck %s --check-prefix=OPTION
// OPTION: error[COR013]: invalid options for nir-merge-sums

// The remark contains the option that keeps every bit, and the option works.
// CHECK: error[NRM005]: the order of a sum may change
// CHECK: help: nopt {{.*}}nir_merge_sums-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-merge-sums'
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-merge-sums' | filecheck %s --check-prefix=HELP
// HELP: ntensor.sum [[X:%.+]], [[X]], [[X]] :
// HELP-NOT: ntensor.sum
nir.graph @three("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %a = nir.sum %x, %x : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %b = nir.sum %a, %x : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  nir.output %b : tensor<1xf32>
}
