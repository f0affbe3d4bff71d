// RUN: rm -rf %t.dir && nopt compile %root/lit-tests/passes/place/inputs/fan.mlir --target asic/multi --set core.neurons=64 --until machine -o %t.dir -v 2>&1 | filecheck %s

// Each of two inputs reaches 100 neurons, and a core has room for 64: ceil(100 / 64) - 1 links for each, for every partition.
// CHECK: any partition at least 2)
