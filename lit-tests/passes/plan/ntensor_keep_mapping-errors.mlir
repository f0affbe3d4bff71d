// RUN: not nopt %S/inputs/net.mlir -p 'ntensor-keep-mapping{mapping="%S/inputs/earlier.json" move=hit}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-keep-mapping{mapping="%S/inputs/earlier.json" move=last}' -o /dev/null
// RUN: not nopt %S/inputs/net.mlir -p 'ntensor-keep-mapping{mapping="%S/inputs/earlier.json" move=hid}' 2>&1 | filecheck %s --check-prefix=NOTHING

// NAME:      error[MAP027]: "hit" is not a layer of the earlier mapping
// NAME-NEXT:   at: move=hit
// NAME-NEXT:   expected: a layer of {{.*}}earlier.json: hid, last
// NAME-NEXT:   found: hit
// NAME-NEXT:   help: nopt {{.*}}net.mlir -p 'ntensor-keep-mapping{mapping="{{.*}}earlier.json" move=hid}'
// NAME-NEXT:   note: near matches: hid

// "last" has another shape, and "hid" moves.
// NOTHING:      error[MAP026]: no population of the network has the name and the shape of one in {{.*}}earlier.json
// NOTHING-NEXT:   at: ntensor.network @net
// NOTHING-NEXT:   expected: at least one of last
// NOTHING-NEXT:   found: "last" with another shape, "hid", which moves
// NOTHING-NEXT:   help: leave ntensor-keep-mapping out
