// A configuration has layers of different populations, in the order in which events reach them.
// RUN: mutate '/cnn_layer/d' 's/layers = #nopt.array<\[0\] : tensor<1xi32>>/layers = #nopt.array<[] : tensor<0xi32>>/' '/output "out"/d' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=NONE
// RUN: mutate 's/"c2" of "n2"/"c2" of "n1"/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=NAMES
// RUN: mutate 's/\[\[3, 2\]\]/[[4, 2]]/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=TARGET
// RUN: mutate 's/\[\[3, 2\]\]/[[0, 1]]/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=BEFORE
// RUN: mutate 's/\[\[3, 2\]\]/[[3, 1]]/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=MAP
// RUN: mutate 's/, destinations = #nopt.array<\[\[3, 2\]\] : tensor<1x2xi32>>//' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=UNFED
// NONE:      <stdin>:2:3: error[CHI011]: a configuration has no layer
// NONE-NEXT:   at: dynapcnn.configuration @net
// NONE-NEXT:   expected: at least one layer
// NONE-NEXT:   found: none
// NONE-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// NAMES:      <stdin>:5:5: error[CHI011]: the layers of a population do not have its features one after the other
// NAMES-NEXT:   at: dynapcnn.cnn_layer "c2"
// NAMES-NEXT:   expected: feature_shift = 4
// NAMES-NEXT:   found: 0
// NAMES-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// TARGET:      <stdin>:4:5: error[CHI011]: a destination is not a layer
// TARGET-NEXT:   at: dynapcnn.cnn_layer "c1"
// TARGET-NEXT:   expected: one of 0, 3
// TARGET-NEXT:   found: 4
// TARGET-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// BEFORE:      <stdin>:4:5: error[CHI011]: a layer sends to one before it
// BEFORE-NEXT:   at: dynapcnn.cnn_layer "c1"
// BEFORE-NEXT:   expected: a layer that follows
// BEFORE-NEXT:   found: layer 0
// BEFORE-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// MAP:      <stdin>:5:5: error[CHI011]: a layer reads another map than it receives
// MAP-NEXT:   at: dynapcnn.cnn_layer "c2"
// MAP-NEXT:   expected: [4, 8, 6]
// MAP-NEXT:   found: [4, 4, 3]
// MAP-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// UNFED:      <stdin>:5:5: error[CHI011]: a layer receives no events
// UNFED-NEXT:   at: dynapcnn.cnn_layer "c2"
// UNFED-NEXT:   expected: an input or a layer that sends to it
// UNFED-NEXT:   found: none
// UNFED-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// An output is a monitored layer, with the type of its neurons.
// RUN: mutate 's/, monitor_enable//' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=MONITOR
// RUN: mutate 's/tensor<5x2x3x!/tensor<5x2x2x!/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=TYPE
// MONITOR:      <stdin>:6:5: error[CHI011]: an output is not a monitored layer
// MONITOR-NEXT:   at: dynapcnn.output "out"
// MONITOR-NEXT:   expected: a layer with monitor_enable
// MONITOR-NEXT:   found: n2
// MONITOR-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// TYPE:      <stdin>:6:5: error[CHI011]: the type of an output differs from its layer
// TYPE-NEXT:   at: dynapcnn.output "out"
// TYPE-NEXT:   expected: 30
// TYPE-NEXT:   found: 20
// TYPE-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// A layer is on a core of the device, which it has alone. Core 8 is the last one.
// RUN: mutate 's/\[\[3, 2\]\]/[[8, 2]]/' 's/layer = 3 : i64/layer = 8 : i64/' %S/inputs/dynapcnn.mlir | nopt - -o /dev/null
// RUN: mutate 's/\[\[3, 2\]\]/[[9, 2]]/' 's/layer = 3 : i64/layer = 9 : i64/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=CORE
// RUN: mutate 's/layer = 3 : i64/layer = 0 : i64/' 's/layers = #nopt.array<\[0\] : tensor<1xi32>>/layers = #nopt.array<[] : tensor<0xi32>>/' 's/\[\[3, 2\]\]/[[0, 2]]/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SHARED
// CORE:      <stdin>:5:5: error[DYN008]: dynapcnn/speck2f has no such core
// CORE-NEXT:   at: dynapcnn.cnn_layer "c2"
// CORE-NEXT:   expected: 0 to 8
// CORE-NEXT:   found: 9
// CORE-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// SHARED:      <stdin>:5:5: error[DYN008]: two layers use core 0
// SHARED-NEXT:   at: dynapcnn.cnn_layer "c2"
// SHARED-NEXT:   expected: a layer on each core
// SHARED-NEXT:   found: n1 and n2
// SHARED-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// The shape and the layers of an input are numbers.
// RUN: mutate '/input "events"/s/\[2, 8, 6\]/[2, 8, 0]/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SHAPE
// RUN: mutate '/input "events"/s/\[0\] : tensor<1xi32>/[[0]] : tensor<1x1xi32>/' %S/inputs/dynapcnn.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=LAYERS
// SHAPE:      <stdin>:3:5: error[CHI010]: input_shape is invalid
// SHAPE-NEXT:   at: dynapcnn.input "events"
// SHAPE-NEXT:   expected: 3 integers from 1
// SHAPE-NEXT:   found: [2, 8, 0]
// SHAPE-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// LAYERS:      <stdin>:3:5: error[CHI010]: layers are invalid
// LAYERS-NEXT:   at: dynapcnn.input "events"
// LAYERS-NEXT:   expected: numbers of layers
// LAYERS-NEXT:   found: [1, 1]
// LAYERS-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// The layers of a population have its features one after the other, the same maps and the same destinations.
// RUN: mutate 's/feature_shift = 2/feature_shift = 3/' %S/inputs/dynapcnn_parts.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=GAP
// RUN: mutate '/layer = 1 /s/stride = #nopt.array<\[1, 1\]/stride = #nopt.array<[2, 2]/' '/layer = 1 /s/\[1, 4, 4\] : tensor<3xi32>>, weights/[1, 2, 2] : tensor<3xi32>>, weights/' %S/inputs/dynapcnn_parts.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=MAPS
// RUN: mutate '/layer = 1 /s/\[\[2, 1\], \[3, 1\]\]/[[2, 1], [3, 2]]/' %S/inputs/dynapcnn_parts.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: mutate 's/\[\[2, 1\], \[3, 1\]\] : tensor<2x2xi32>/[[2, 1]] : tensor<1x2xi32>/' %S/inputs/dynapcnn_parts.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=SOME
// RUN: mutate '/layer = 3 /s/, monitor_enable//' %S/inputs/dynapcnn_parts.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=MONITORS
// GAP:      <stdin>:5:5: error[CHI011]: the layers of a population do not have its features one after the other
// GAP-NEXT:   at: dynapcnn.cnn_layer "c1"
// GAP-NEXT:   expected: feature_shift = 2
// GAP-NEXT:   found: 3
// GAP-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// MAPS:      <stdin>:5:5: error[CHI011]: the layers of a population have different maps
// MAPS-NEXT:   at: dynapcnn.cnn_layer "c1"
// MAPS-NEXT:   expected: [1, 4, 4, 4, 4]
// MAPS-NEXT:   found: [1, 4, 4, 2, 2]
// MAPS-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// OTHER:      <stdin>:5:5: error[CHI011]: the layers of a population have different destinations
// OTHER-NEXT:   at: dynapcnn.cnn_layer "c1"
// OTHER-NEXT:   expected: [(2, 1), (3, 1)]
// OTHER-NEXT:   found: [(2, 1), (3, 2)]
// OTHER-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// SOME:      <stdin>:4:5: error[CHI011]: a layer sends to some parts of a population
// SOME-NEXT:   at: dynapcnn.cnn_layer "c1"
// SOME-NEXT:   expected: layer 3 and a pool of 1
// SOME-NEXT:   found: [(2, 1)]
// SOME-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR
// MONITORS:      <stdin>:8:5: error[CHI011]: an output is not a monitored layer
// MONITORS-NEXT:   at: dynapcnn.output "out"
// MONITORS-NEXT:   expected: a layer with monitor_enable
// MONITORS-NEXT:   found: n2
// MONITORS-NEXT:   help: compile the network again: nopt compile FILE --target TARGET/DEVICE -o DIR

// An output twice, and one that is not of counts.
// RUN: mutate 's/^ *dynapcnn.output "out".*>$/&\n&/' %S/inputs/dynapcnn.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=REPEATED
// RUN: mutate '/dynapcnn.output "out"/s/!ntensor.count<16>/i1/' %S/inputs/dynapcnn.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=COUNTS
// REPEATED:        error[CHI011]: two inputs or outputs have the same name
// COUNTS:       error[CHI011]: an output is one of counts
