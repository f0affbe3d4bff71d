// RUN: echo '{"schema": "nopt.mapping/1"}' > %t.part.json
// RUN: exits 2 nopt %S/inputs/net.mlir -p 'ntensor-keep-mapping{mapping="%t.part.json"}' 2>&1 | filecheck %s --check-prefix=PART
// RUN: mutate 's/"core": 1,/"core": 7,/' %S/inputs/earlier.json > %t.core.json
// RUN: exits 2 nopt %S/inputs/net.mlir -p 'ntensor-keep-mapping{mapping="%t.core.json"}' 2>&1 | filecheck %s --check-prefix=CORE
// RUN: mutate 's/"shape": \[6\]/"shape": [2, 3]/' %S/inputs/earlier.json > %t.axes.json
// RUN: exits 2 nopt %S/inputs/net.mlir -p 'ntensor-keep-mapping{mapping="%t.axes.json"}' 2>&1 | filecheck %s --check-prefix=AXES

// PART:      error[MAP025]: $ of {{.*}}part.json is invalid
// PART-NEXT:   at: $ ({{.*}}part.json)
// PART-NEXT:   expected: an object with "device"

// A core that the mapping does not describe.
// CORE:      error[MAP025]: vertices[2].core of {{.*}}core.json is invalid
// CORE-NEXT:   at: $.vertices[2].core
// CORE-NEXT:   expected: an id of cores
// CORE-NEXT:   found: 7

// Slices have the axes of the shape.
// AXES:      error[MAP025]: populations[1] of {{.*}}axes.json is invalid
// AXES-NEXT:   at: $.populations[1]
// AXES-NEXT:   expected: vertices with a slice of the axes of the shape, or of the order
