// Groups of two populations share a core and its axons; parameters are one number, or one for each neuron.
// RUN: nopt %S/inputs/chip.mlir | filecheck %s
// RUN: mutate 's/params = {}/params = {a = #nopt.array<[1, 2] : tensor<2xi32>>, b = #nopt.array<3 : tensor<i32>>}/' %S/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ONE

// CHECK:        asic.core 0 attributes {axons = 2 : i64} {
// CHECK-NEXT:     asic.neurons "lif1/0" of "lif1" @pass attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<3xi1> {
// CHECK:        asic.core 2 attributes {axons = 1 : i64} {
// CHECK-NEXT:     asic.neurons "lif1/1" of "lif1" @pass attributes {index = #nopt.array<[2] : tensor<1xi32>>, params = {}, initial = {}} : tensor<3xi1> {

// The first group accepts both, the second has one neuron.
// ONE:          error[CHI002]: parameter a has another shape
// ONE-NEXT:       at: asic.neurons "lif1/1"
