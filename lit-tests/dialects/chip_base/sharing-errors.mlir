// RUN: mutate 's/\[0, 2, 0\]\] :/[0, 2, 2]] :/' 's/needs = {input_axons = 1 : i64}/needs = {input_axons = 2 : i64}/' 's/synapses = 1 : i64, axons = 1 : i64, activity = 1.0 : f64, \(.*\), sources = #nopt.array<\[1\] : tensor<1xi32>>/synapses = 2 : i64, axons = 2 : i64, activity = 2.0 : f64, \1, sources = #nopt.array<[1, 2] : tensor<2xi32>>/' %S/sharing.mlir | not nopt - 2>&1 | filecheck %s

// The second vertex reads the inputs 1 and 2: three axons of a core that has two.
// CHECK:      error[DEV016]: input axons 3 exceed the limit 2
// CHECK-NEXT:   at: machine.vertex "lif1/1"
// CHECK-NEXT:   expected: at most 2 axons (asic/mesh, core.input_axons: set by the user)
// CHECK-NEXT:   found: 3 axons of lif1/0, lif1/1
