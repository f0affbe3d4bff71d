// A population keeps the radius of the arbor of each synapse population; those without a radius have the arbor of one neuron.
// RUN: nopt %S/../../targets/neurogrid/inputs/row.mlir -p 'ntensor-fit-arbors{excitatory=1.0}' | filecheck %s
// CHECK: ntensor.neuron "row" {{.*}}neurogrid.arbors = #nopt.array<[1.0, 0.0] : tensor<2xf64>>

// round(15 exp(-d / 2)) for d = 0 to 6 is 15, 9, 6, 3, 2, 1, 1, and 0 from 7 on: the event has its parts at the neurons of a row.
// RUN: mutate 's/\[\[0.25, -0.75\], \[0.75, -0.25\], \[1.875, 0.0\], \[0.75, 0.0\], \[0.25, 0.0\]\]/[[1.5, 0.0], [0.9, 0.0], [0.6, 0.0], [0.3, 0.0], [0.2, 0.0]]/' %S/../../targets/neurogrid/inputs/row.mlir | nopt - -p 'ntensor-fit-arbors{excitatory=2.0}' | filecheck %s --check-prefix=TWO
// TWO: ntensor.sparse_linear "fc" %{{.*}} {weight = #nopt.array<[15, 9, 6, 3, 2] : tensor<5xi16>>
