// RUN: rm -rf %t.dir && nopt compile %root/lit-tests/passes/place/inputs/fan.mlir --target asic/multi --set core.neurons=128 --until machine -o %t.dir -v 2>&1 | filecheck %s

// All targets fit one core, so that a tree needs no link. The core of the entry is reserved: each of the two inputs needs a link in every partition.
// CHECK:     communication cost: 2 (these vertices at least 2, any partition at least 2), within 0 % of the bound: events per tick
