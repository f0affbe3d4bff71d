// RUN: mutate 's@DEVICE@@' %S/../passes/place/inputs/cliques.mlir > %t.mlir
// RUN: not nopt %t.mlir -p 'machine-place-vertices' 2>&1 | filecheck %s

// Without a device there is neither a mesh nor a limit.
// CHECK: error[DEV023]: no device is specified
