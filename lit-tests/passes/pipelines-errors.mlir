// RUN: exits 2 nopt compile %root/lit-tests/tools/inputs/lif.mlir --dt 1ms --like norse --target c --weight-bits 0 -o %t.dir 2>&1 | filecheck %s

// A shorthand is refused like its pass.
// CHECK:      error[QWT001]: the bits of weights are out of range
// CHECK-NEXT:   at: bits=0
// CHECK-NEXT:   expected: 1 to 16
// CHECK-NEXT:   found: 0
// CHECK-NEXT:   help: --weight-bits 1
