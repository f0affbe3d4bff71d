// RUN: rm -rf %t.dir && nopt compile %root/lit-tests/passes/place/inputs/fan.mlir --target asic/multi --set core.neurons=128 --until machine -o %t.dir -v 2>&1 | filecheck %s

// If all targets fit one core, no bound for other partitions is known, and none is reported.
// CHECK:     communication cost: {{.*}}(these vertices at least {{[0-9]+}}): events per tick
