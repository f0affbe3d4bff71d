// The parts of another radius are other numbers: 15, 6, 2, 1 are not those of the radius 2.
// RUN: nopt %S/../../targets/neurogrid/inputs/row.mlir -p 'ntensor-fit-arbors{excitatory=1.0 max-events=3},ntensor-legalize{device=neurogrid/board approximate=dynamics,refractory,reset,comparison,decay,threshold,leak,current,initial,bound,count},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges' > %t.mlir
// RUN: nopt %t.mlir -p convert-machine-to-neurogrid -o /dev/null
// RUN: mutate 's/neurogrid.arbors = #nopt.array<\[1.0, 0.0\]/neurogrid.arbors = #nopt.array<[2.0, 0.0]/' %t.mlir | not nopt - -p convert-machine-to-neurogrid 2>&1 | filecheck %s
// CHECK:      error[NGR015]: no events have these weights
// CHECK:        expected: sums of arbors with the radius 2 of exc
