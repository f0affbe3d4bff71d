// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A configuration has layers of different populations, in the order in which events reach them.
// CHECK:      error[CHI011]: a configuration has no layer
// CHECK-NEXT:   at: dynapcnn.configuration @net
// CHECK-NEXT:   expected: at least one layer
// CHECK-NEXT:   found: none
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// expected-error @below {{[CHI011]}}
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
  dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, layers = #nopt.array<[] : tensor<0xi32>>}
}

// -----

// A configuration has layers of different populations, in the order in which events reach them.
// CHECK:      error[CHI011]: the layers of a population do not have its features one after the other
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c2"
// CHECK-NEXT:   expected: feature_shift = 4
// CHECK-NEXT:   found: 0
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
  // expected-error @below {{[CHI011]}}
  dynapcnn.cnn_layer "c2" of "n1" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// A configuration has layers of different populations, in the order in which events reach them: `destinations = [[4, 2]]`.
// CHECK:      error[CHI011]: a destination is not a layer
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: one of 0, 3
// CHECK-NEXT:   found: 4
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[CHI011]}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[4, 2]] : tensor<1x2xi32>>}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// A configuration has layers of different populations, in the order in which events reach them: `destinations = [[0, 1]]`.
// CHECK:      error[CHI011]: a layer sends to one before it
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: a layer that follows
// CHECK-NEXT:   found: layer 0
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[CHI011]}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[0, 1]] : tensor<1x2xi32>>}
}

// -----

// A configuration has layers of different populations, in the order in which events reach them: `destinations = [[3, 1]]`.
// CHECK:      error[CHI011]: a layer reads another map than it receives
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c2"
// CHECK-NEXT:   expected: [4, 8, 6]
// CHECK-NEXT:   found: [4, 4, 3]
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[3, 1]] : tensor<1x2xi32>>}
  // expected-error @below {{[CHI011]}}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// A configuration has layers of different populations, in the order in which events reach them.
// CHECK:      error[CHI011]: a layer receives no events
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c2"
// CHECK-NEXT:   expected: an input or a layer that sends to it
// CHECK-NEXT:   found: none
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
  dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
  // expected-error @below {{[CHI011]}}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// An output is a monitored layer, with the type of its neurons.
// CHECK:      error[CHI011]: an output is not a monitored layer
// CHECK-NEXT:   at: dynapcnn.output "out"
// CHECK-NEXT:   expected: a layer with monitor_enable
// CHECK-NEXT:   found: n2
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
  dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[3, 2]] : tensor<1x2xi32>>}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
  // expected-error @below {{[CHI011]}}
  dynapcnn.output "out" of "n2" : tensor<5x2x3x!ntensor.count<16>>
}

// -----

// An output is a monitored layer, with the type of its neurons.
// CHECK:      error[CHI011]: the type of an output differs from its layer
// CHECK-NEXT:   at: dynapcnn.output "out"
// CHECK-NEXT:   expected: 30
// CHECK-NEXT:   found: 20
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
  dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[3, 2]] : tensor<1x2xi32>>}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64, monitor_enable}
  // expected-error @below {{[CHI011]}}
  dynapcnn.output "out" of "n2" : tensor<5x2x2x!ntensor.count<16>>
}

// -----

// A layer is on a core of the device, which it has alone. Core 8 is the last one.
// This is accepted.
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[8, 2]] : tensor<1x2xi32>>}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 8 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// A layer is on a core of the device, which it has alone. Core 8 is the last one.
// CHECK:      error[DYN008]: dynapcnn/speck2f has no such core
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c2"
// CHECK-NEXT:   expected: 0 to 8
// CHECK-NEXT:   found: 9
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[9, 2]] : tensor<1x2xi32>>}
  // expected-error @below {{[DYN008]}}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 9 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// A layer is on a core of the device, which it has alone. Core 8 is the last one.
// CHECK:      error[DYN008]: two layers use core 0
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c2"
// CHECK-NEXT:   expected: a layer on each core
// CHECK-NEXT:   found: n1 and n2
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64, machine.device = "dynapcnn/speck2f"} {
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[0, 2]] : tensor<1x2xi32>>}
  // expected-error @below {{[DYN008]}}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 0 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64}
}

// -----

// The shape and the layers of an input are numbers: `input_shape = [2, 8, 0]`.
// CHECK:      error[CHI010]: input_shape is invalid
// CHECK-NEXT:   at: dynapcnn.input "events"
// CHECK-NEXT:   expected: 3 integers from 1
// CHECK-NEXT:   found: [2, 8, 0]
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net {
  // expected-error @below {{[CHI010]}}
  dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 0] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
}

// -----

// The shape and the layers of an input are numbers: `layers = [[0]]`.
// CHECK:      error[CHI010]: layers are invalid
// CHECK-NEXT:   at: dynapcnn.input "events"
// CHECK-NEXT:   expected: numbers of layers
// CHECK-NEXT:   found: [1, 1]
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net {
  // expected-error @below {{[CHI010]}}
  dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, layers = #nopt.array<[[0]] : tensor<1x1xi32>>}
}

// -----

// The layers of a population have its features one after the other, the same maps and the same destinations: `feature_shift = 3`.
// CHECK:      error[CHI011]: the layers of a population do not have its features one after the other
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: feature_shift = 2
// CHECK-NEXT:   found: 3
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[2, 4, 4] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<2x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
  // expected-error @below {{[CHI011]}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 1 : i64, input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<1x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, feature_shift = 3 : i64}
}

// -----

// The layers of a population have its features one after the other, the same maps and the same destinations.
// CHECK:      error[CHI011]: the layers of a population have different maps
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: [1, 4, 4, 4, 4]
// CHECK-NEXT:   found: [1, 4, 4, 2, 2]
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[2, 4, 4] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<2x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
  // expected-error @below {{[CHI011]}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 1 : i64, input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[1, 2, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<1x1x1x1xi8>>, stride = #nopt.array<[2, 2] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, feature_shift = 2 : i64}
}

// -----

// The layers of a population have its features one after the other, the same maps and the same destinations: `destinations = [[2, 1], [3, 2]]`.
// CHECK:      error[CHI011]: the layers of a population have different destinations
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: [(2, 1, 0), (3, 1, 0)]
// CHECK-NEXT:   found: [(2, 1, 0), (3, 2, 0)]
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[2, 4, 4] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<2x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[2, 1], [3, 1]] : tensor<2x2xi32>>}
  // expected-error @below {{[CHI011]}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 1 : i64, input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<1x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[2, 1], [3, 2]] : tensor<2x2xi32>>, feature_shift = 2 : i64}
}

// -----

// The layers of a population have its features one after the other, the same maps and the same destinations.
// CHECK:      error[CHI011]: a layer sends to some parts of a population
// CHECK-NEXT:   at: dynapcnn.cnn_layer "c1"
// CHECK-NEXT:   expected: layer 3 and a pool of 1
// CHECK-NEXT:   found: [(2, 1, 0)]
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[CHI011]}}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[2, 4, 4] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<2x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[2, 1]] : tensor<1x2xi32>>}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 1 : i64, input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<1x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[2, 1]] : tensor<1x2xi32>>, feature_shift = 2 : i64}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 2 : i64, input_shape = #nopt.array<[3, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[4, 4, 4] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x3x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[3, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<1x3x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, feature_shift = 4 : i64}
}

// -----

// The layers of a population have its features one after the other, the same maps and the same destinations: `feature_shift = 4`.
// CHECK:      error[CHI011]: an output is not a monitored layer
// CHECK-NEXT:   at: dynapcnn.output "out"
// CHECK-NEXT:   expected: a layer with monitor_enable
// CHECK-NEXT:   found: n2
// CHECK-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
  dynapcnn.input "events" {input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, layers = #nopt.array<[0, 1] : tensor<2xi32>>}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[2, 4, 4] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<2x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[2, 1], [3, 1]] : tensor<2x2xi32>>}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 1 : i64, input_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<1x1x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[2, 1], [3, 1]] : tensor<2x2xi32>>, feature_shift = 2 : i64}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 2 : i64, input_shape = #nopt.array<[3, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[4, 4, 4] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x3x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[3, 4, 4] : tensor<3xi32>>, output_shape = #nopt.array<[1, 4, 4] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<1x3x1x1xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, feature_shift = 4 : i64}
  // expected-error @below {{[CHI011]}}
  dynapcnn.output "out" of "n2" : tensor<5x4x4x!ntensor.count<16>>
}

// -----

// An output twice, and one that is not of counts.
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64}
  // expected-error @below {{[CHI011]: two inputs or outputs have the same name}}
  dynapcnn.output "out" of "n2" : tensor<5x2x3x!ntensor.count<16>>
  dynapcnn.output "out" of "n2" : tensor<5x2x3x!ntensor.count<16>>
}

// -----

// An output twice, and one that is not of counts.
dynapcnn.configuration @net attributes {tick_ns = 1000000 : i64} {
  dynapcnn.input "events" {input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, layers = #nopt.array<[0] : tensor<1xi32>>}
  dynapcnn.cnn_layer "c1" of "n1" {layer = 0 : i64, input_shape = #nopt.array<[2, 8, 6] : tensor<3xi32>>, output_shape = #nopt.array<[4, 8, 6] : tensor<3xi32>>, weights = #nopt.array<constant(value = 3) : tensor<4x2x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[1, 1] : tensor<2xi32>>, threshold_high = 100 : i64, threshold_low = -100 : i64, destinations = #nopt.array<[[3, 2]] : tensor<1x2xi32>>}
  dynapcnn.cnn_layer "c2" of "n2" {layer = 3 : i64, input_shape = #nopt.array<[4, 4, 3] : tensor<3xi32>>, output_shape = #nopt.array<[5, 3, 2] : tensor<3xi32>>, weights = #nopt.array<constant(value = -2) : tensor<5x4x2x2xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi32>>, padding = #nopt.array<[0, 0] : tensor<2xi32>>, threshold_high = 200 : i64, threshold_low = -32768 : i64, monitor_enable}
  // expected-error @below {{[CHI011]: an output is one of counts}}
  dynapcnn.output "out" of "n2" : tensor<5x2x3xi1>
}
