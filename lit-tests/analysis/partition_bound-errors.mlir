// RUN: rm -rf %t.dir && nopt compile %root/lit-tests/passes/place/inputs/fan.mlir --target asic/multi --set core.neurons=128 --until machine -o %t.dir 2>&1 | filecheck %s

// With room for all targets on one core nothing is known about other partitions, and nothing is claimed.
// CHECK:     cost {{.*}}(these vertices at least {{[0-9]+}}): events per tick
