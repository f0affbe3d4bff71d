// RUN: nopt %S/../inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value}' > %t.mlir
// RUN: exits 2 nopt %t.mlir -p 'ntensor-approximate-somas{nodes=three}' 2>&1 | filecheck %s --check-prefix=NODE
// NODE:      error[ANA031]: ntensor-approximate-somas has no node "three" to work on
// NODE-NEXT:   at: nodes
// NODE-NEXT:   expected: one of one, two
// NODE-NEXT:   found: three

// The strength of an event is a parameter of the population, so weights must count events: 1, 1.01 and 2 do not with 31 events.
// RUN: mutate 's/\[2.0, 1.0\]/[2.0, 1.01]/' %S/../inputs/net.mlir | exits 1 nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-approximate-somas' 2>&1 | filecheck %s --check-prefix=OWN
// RUN: mutate 's/\[2.0, 1.0\]/[2.0, 1.01]/' %S/../inputs/net.mlir | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value},ntensor-replace-biases,ntensor-repeat-events{max-events=7},ntensor-approximate-somas' -o /dev/null
// OWN:       error[NGR012]: excitatory weights of "fc2" do not count events
