// An op that uses exactly as much as the device has is accepted: two neurons, two input axons, a fan-in of two, a delay of 16 ticks.
// RUN: mutate 's/"asic.mesh"/"asic\/mesh", machine.set = ["core.neurons=2", "core.input_axons=2", "core.fan_in=2"]/' 's/delay = #nopt.array<1 : tensor<i32>>}/delay = #nopt.array<16 : tensor<i32>>}/' %S/../asic/inputs/chip.mlir | nopt - | filecheck %s
// CHECK:        asic.chip @net
// CHECK:          delay = #nopt.array<16 : tensor<i32>>

// A table can have a learning rule of the device: pair STDP, for weights of at most 8 bits.
// RUN: mutate 's/weight = #nopt.array<\[\[3, -7\], \[0, 5\]\] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}/weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, -1.0, 1.0>}/' %S/../asic/inputs/chip.mlir | nopt - | filecheck %s --check-prefix=LEARNS
// LEARNS: asic.dense "fc1" {{.*}} plasticity = #nir.stdp<{{.*}}>
