// RUN: exits 2 nopt compile %root/lit-tests/tools/inputs/lif.mlir --dt 1ms --like norse --target c --weight-bits 17 -o %t.dir 2>&1 | filecheck %s

// A shorthand is refused like its pass.
// CHECK:      error[QUA042]: the bits of weights are out of range
// CHECK-NEXT:   at: bits=17
// CHECK-NEXT:   expected: 1 to 16
// CHECK-NEXT:   found: 17
// CHECK-NEXT:   help: nopt compile {{.*}}lif.mlir --dt 1ms --like norse --target c --weight-bits 16 -o {{.*}}pipelines-errors.mlir.tmp.dir

// Pins of a target without neurons of its own: parameters are reals, and weights too.
// RUN: exits 1 nopt compile %root/lit-tests/tools/inputs/weights.mlir --dt 1ms --like norse --target c --pin lif.k=20,fc.weight=5 -o %t.dir 2>&1 | filecheck %s --check-prefix=REALS
// RUN: exits 1 nopt compile %root/lit-tests/tools/inputs/weights.mlir --dt 1ms --like norse --target c --pin lif.k=20 -o %t.dir 2>&1 | filecheck %s --check-prefix=ONE
// REALS:      error[LEG076]: parameter k of @norse_lif.value.f32 is not an integer
// REALS-NEXT:   at: lif.k=20, ntensor.neuron "lif"
// REALS-NEXT:   expected: a parameter of integers, as neurons of a chip have: a device with neurons, or ntensor-set-neuron-model
// REALS-NEXT:   found: f32
// REALS-NEXT:   help: nopt compile {{.*}}weights.mlir --dt 1ms --like norse --target c --pin fc.weight=5 -o {{.*}}pipelines-errors.mlir.tmp.dir
// REALS-NEXT: error[LEG076]: the weights of "fc" are not integers
// REALS:        help: nopt compile {{.*}}weights.mlir --dt 1ms --like norse --target c --pin lif.k=20,fc.weight=5 -o {{.*}}pipelines-errors.mlir.tmp.dir --weight-bits 8
// ONE:          help: nopt compile {{.*}}weights.mlir --dt 1ms --like norse --target c -o
