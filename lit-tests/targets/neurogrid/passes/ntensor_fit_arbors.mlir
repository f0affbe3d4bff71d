// With the radius 1 an event has round(15 exp(-d)) parts at the distance d: 15, 6, 2 and 1. The excitatory weights are one event at neuron 2 whose
// parts have the value 1.875 / 15 = 0.125. Inhibitory weights without a radius are numbers of events: 3 and 1 of 0.25.
// RUN: nopt %S/../inputs/row.mlir -p 'ntensor-fit-arbors{excitatory=1.0 max-events=3}' | filecheck %s
// CHECK-NOT:  #ntensor.approximation
// CHECK:      ntensor.sparse_linear "fc" %{{.*}} {weight = #nopt.array<[2, 6, 15, 6, 2, -3, -1] : tensor<7xi16>>, source = #nopt.array<[0, 0, 0, 0, 0, 1, 1] : tensor<7xi32>>, target = #nopt.array<[0, 1, 2, 3, 4, 0, 1] : tensor<7xi32>>, quantized = #ntensor.quantized<5, #nopt.array<[0.125, 0.125, 0.125, 0.125, 0.125, 0.25, 0.25]
// CHECK:      ntensor.neuron "row" {{.*}}neurogrid.arbors = #nopt.array<[1.0, 0.0] : tensor<2xf64>>

// Other weights are approximated, and the error is recorded: 0.875 in place of 0.75 at neuron 3.
// RUN: mutate 's/\[0.75, 0.0\]/[0.875, 0.0]/' %S/../inputs/row.mlir | nopt - -p 'ntensor-fit-arbors{excitatory=1.0 max-events=3}' | filecheck %s --check-prefix=ERROR
// ERROR:      #ntensor.approximation<"ntensor-fit-arbors{excitatory=1 max-events=3}", "weights as sums of arbors of radius 1 and 0", ["fc"], 1.250000e-01 : f64
