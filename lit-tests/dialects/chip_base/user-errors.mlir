// Windows of tables in the convolution layout are counted.
// RUN: nopt %S/../../targets/asic/inputs/windows.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device=asic/kinds},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges,convert-machine-to-asic' | mutate 's/machine.device = #nopt.device<[^>]*>/machine.device = "asic\/kinds", machine.set = ["synapse.convolution.padding=0"]/' - | not nopt - 2>&1 | filecheck %s --check-prefix=WINDOW
// WINDOW:      error[DEV016]: convolution padding 1 exceeds the limit 0
// WINDOW-NEXT:   at: asic.neurons "maps/0"
// WINDOW-NEXT:   expected: at most 0 elements (asic/kinds, synapse.convolution.padding: set by the user)
// WINDOW-NEXT:   found: 1 element
// WINDOW-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// The longest delay is 16 ticks.
// RUN: mutate 's/delay = #nopt.array<1 : tensor<i32>>}/delay = #nopt.array<17 : tensor<i32>>}/' %S/../asic/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=DELAY
// DELAY:      error[DEV016]: delay 17 exceeds the limit 16
// DELAY-NEXT:   at: asic.neurons "lif1/0"
// DELAY-NEXT:   expected: at most 16 ticks (asic/mesh, synapse.delay.max: synthetic, for tests; not available in silicon)
// DELAY-NEXT:   found: 17 ticks
// DELAY-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// Neurons of a group are counted.
// RUN: mutate 's/"asic\/mesh"/"asic\/mesh", machine.set = ["core.neurons=1"]/' %S/../asic/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NEURONS
// NEURONS:      error[DEV016]: neurons 2 exceed the limit 1
// NEURONS-NEXT:   at: asic.neurons "lif1/0"
// NEURONS-NEXT:   expected: at most 1 neuron (asic/mesh, core.neurons: set by the user)
// NEURONS-NEXT:   found: 2 neurons
// NEURONS-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// Input axons are counted.
// RUN: mutate 's/"asic\/mesh"/"asic\/mesh", machine.set = ["core.input_axons=1"]/' %S/../asic/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=AXONS
// AXONS:      error[DEV016]: input axons 2 exceed the limit 1
// AXONS-NEXT:   at: asic.neurons "lif1/0"
// AXONS-NEXT:   expected: at most 1 axon (asic/mesh, core.input_axons: set by the user)
// AXONS-NEXT:   found: 2 axons
// AXONS-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// The synapses of a neuron are counted.
// RUN: mutate 's/"asic\/mesh"/"asic\/mesh", machine.set = ["core.fan_in=1"]/' %S/../asic/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=FAN_IN
// FAN_IN:      error[DEV016]: fan-in 2 exceeds the limit 1
// FAN_IN-NEXT:   at: asic.neurons "lif1/0"
// FAN_IN-NEXT:   expected: at most 1 synapse (asic/mesh, core.fan_in: set by the user)
// FAN_IN-NEXT:   found: 2 synapses
// FAN_IN-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// A contract holds for what is counted: `delay <= 15 or weight_bits <= 16` of asic/multi.
// RUN: mutate 's/asic\/mesh/asic\/multi/' 's/asic.dense "fc1" {format = "dense"/asic.sparse "fc1" {axon = #nopt.array<[0, 0, 1] : tensor<3xi32>>, neuron = #nopt.array<[0, 1, 1] : tensor<3xi32>>, sums = f32, format = "float"/' 's/\[\[3, -7\], \[0, 5\]\] : tensor<2x2xi8>>, delay = #nopt.array<1 /[3.0, -7.0, 5.0] : tensor<3xf32>>, delay = #nopt.array<16 /' %S/../asic/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CONTRACT
// CONTRACT:      error[DEV021]: a contract of the device does not hold
// CONTRACT-NEXT:   at: asic.neurons "lif1/0"
// CONTRACT-NEXT:   expected: delay <= 15 or weight_bits <= 16 (asic/multi, constraints: synthetic, for tests; not available in silicon)
// CONTRACT-NEXT:   found: ! delay <= 15 or weight_bits <= 16: fails
// CONTRACT-NEXT:     !   delay <= 15: fails, 1 too many
// CONTRACT-NEXT:           delay = 16
// CONTRACT-NEXT:     !   weight_bits <= 16: fails, 16 bits too many
// CONTRACT-NEXT:           weight_bits = 32 bits
// CONTRACT-NEXT:   help: delay at most 15 or weight_bits at most 16 bits
// CONTRACT-NEXT:   note: delay = 16, limit 15: 1 too many
// CONTRACT-NEXT:   note: weight_bits = 32 bits, limit 16 bits: 16 bits too many

// The device edge has no learning rule.
// RUN: mutate 's/weight = #nopt.array<\[\[3, -7\], \[0, 5\]\] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>}/weight = #nopt.array<[[3, -7], [0, 5]] : tensor<2x2xi8>>, delay = #nopt.array<1 : tensor<i32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, -1.0, 1.0>}/' 's/asic\/mesh/asic\/edge/' %S/../asic/inputs/chip.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=LEARNS
// LEARNS:      error[CHI022]: asic/edge does not have this learning rule
// LEARNS-NEXT:   at: asic.dense "fc1"
// LEARNS-NEXT:   expected: weights without a rule (asic/edge, plasticity)
// LEARNS-NEXT:   found: nir.stdp
// LEARNS-NEXT:   help: compile the network again, after ntensor-freeze-plasticity
