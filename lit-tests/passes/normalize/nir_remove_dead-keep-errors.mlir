// A synapse op and a nested graph have no states; a name that is similar to no other is reported, too.
// RUN: not nopt %s -p 'nir-remove-dead{keep="fc.v"}' 2>&1 | filecheck %s
// RUN: not nopt %s -p 'nir-remove-dead{keep=zzz}' 2>&1 | filecheck %s --check-prefix=FAR
// CHECK: error[NRM001]: no node "fc.v" to keep
// CHECK: expected: one of fc
// CHECK: help: nopt {{.*}}nir_remove_dead-keep-errors.mlir -p 'nir-remove-dead{keep=fc}'
// FAR: error[NRM001]: no node "zzz" to keep
// FAR: help: nopt {{.*}}nir_remove_dead-keep-errors.mlir -p 'nir-remove-dead{keep=fc}'

// The help line works, and a module without a network has nothing to keep.
// RUN: nopt %s -p 'nir-remove-dead{keep=fc}' | filecheck %s --check-prefix=HELP
// HELP: nir.linear "fc"
// RUN: nopt /dev/null -p 'nir-remove-dead{keep=fc},ntensor-remove-dead{keep=fc}' | filecheck %s --check-prefix=EMPTY
// EMPTY: builtin.module
nir.graph @net("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  %0 = nir.linear "fc" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %x : tensor<1xf32>
}
