// The shape of an input is a map, and the numbers of a processor have their shapes, in both versions.
// RUN: mutate '/"c1"/s/input_shape = #nopt.array<\[4, 4, 2\] : tensor<3xi32>>/input_shape = #nopt.array<[4, 4] : tensor<2xi32>>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=MAP
// RUN: mutate 's/tile = #nopt.array<\[0, 0, 4, 4\] : tensor<4xi32>>/tile = #nopt.array<[0, 4] : tensor<2xi32>>/' %S/inputs/akida.mlir | not nopt - -o /dev/null 2>&1 | filecheck %s --check-prefix=TILE
// MAP:      error[CHI010]: input_shape is not a map
// MAP:        expected: 3 integers from 1
// MAP-NEXT:   found: [4, 4]
// TILE:      error[CHI010]: tile has another shape
// TILE:        expected: 4 integers
// TILE-NEXT:   found: [0, 4]
