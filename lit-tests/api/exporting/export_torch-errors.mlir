// A machine graph holds the numbers of the chip, not the trained weights.
// RUN: rm -rf %t.dir && mkdir -p %t.dir
// RUN: nopt compile %root/lit-tests/tools/inputs/weights.mlir --dt 1ms --like norse --approximate all --target asic/mesh --until machine -o %t.dir/build
// RUN: cp %t.dir/build/ir/03-convert-ntensor-to-machine.mlir %t.dir/graph.mlir
// RUN: exits 1 nopt export %t.dir/graph.mlir --torch --target asic/mesh -o %t.dir/chip.py 2>&1 | filecheck %s
// CHECK:      error[PYT005]: the module is of a later level than a network [export-of-compiled-network]
// CHECK-NEXT:   at: asic/mesh
// CHECK-NEXT:   expected: a .nir file, or a network in ticks
// CHECK-NEXT:   found: machine
// CHECK-NEXT:   help: nopt export FILE --torch --target asic/mesh -o chip.py
