// Two layers take two arrays. One array is too few.
// RUN: mutate 's|"memxbar/array128"|"memxbar/array128", machine.set = ["topology.cores=2"]|' %S/../inputs/net.mlir | nopt - -p convert-ntensor-to-memxbar,memxbar-allocate-tiles -o /dev/null
// RUN: mutate 's|"memxbar/array128"|"memxbar/array128", machine.set = ["topology.cores=1"]|' %S/../inputs/net.mlir | not nopt - -p convert-ntensor-to-memxbar,memxbar-allocate-tiles 2>&1 | filecheck %s
// CHECK:      error[MXB006]: the device has too few arrays
// CHECK-NEXT:   at: memxbar.convolution "conv"
// CHECK-NEXT:   expected: at most 1 arrays of 128 x 128 cells (memxbar/array128, topology.cores: set by the user)
// CHECK-NEXT:   found: 2, of which conv takes 1
