// An op that uses exactly as much as the device has is accepted: two neurons, two input axons, a fan-in of two, a delay of 16 ticks.
// RUN: sed 's/"asic.mesh"/"asic\/mesh", machine.set = ["core.neurons=2", "core.input_axons=2", "core.fan_in=2"]/; s/delay = #nopt.array<1 : tensor<i32>>}/delay = #nopt.array<16 : tensor<i32>>}/' %S/../inputs/chip.mlir | nopt - | filecheck %s
// CHECK:        asic.chip @net
// CHECK:          delay = #nopt.array<16 : tensor<i32>>
