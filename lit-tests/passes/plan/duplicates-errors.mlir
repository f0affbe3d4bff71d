// RUN: not nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="truenorth/ns1e" copies=5}' 2>&1 | filecheck %s --check-prefix=FIVE
// RUN: not nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="truenorth/ns1e" copies=0}' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="truenorth/ns1e" copies=4}' -o /dev/null
// RUN: not nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="asic/mesh" copies=2}' 2>&1 | filecheck %s --check-prefix=TYPES
// RUN: not nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="truenorth/ns1e" set="core.neurons=7,core.output_axons=7,core.crossbar.axon_types=2"},ntensor-fit-axon-types{copies=2 neurons=true}' 2>&1 | filecheck %s --check-prefix=ROWS
// RUN: nopt %S/inputs/net.mlir -p 'ntensor-plan-cores{device="truenorth/ns1e" set="core.neurons=7,core.output_axons=7,core.crossbar.axon_types=2"},ntensor-plan-cores{copies=2 neurons=true},ntensor-fit-axon-types{copies=2 neurons=true}' -o /dev/null

// A source has one axon of each type at most.
// FIVE:      error[MAP021]: the copies of axons are out of range
// FIVE-NEXT:   at: copies=5
// FIVE-NEXT:   expected: 1 to 4, the types of axons of a core
// FIVE-NEXT:   found: 5
// FIVE-NEXT:   help: nopt {{.*}}net.mlir -p 'ntensor-plan-cores{device="truenorth/ns1e" copies=4}'
// NONE:        help: nopt {{.*}}net.mlir -p 'ntensor-plan-cores{device="truenorth/ns1e"}'
// TYPES:       expected: 1, since cores have no types of axons
// TYPES-NEXT:  found: 2
// TYPES-NEXT:  help: nopt {{.*}}net.mlir -p 'ntensor-plan-cores{device="asic/mesh"}'

// A plan without room for duplicates of neurons; the remedy is tried above.
// ROWS:      error[LEG014]: duplicated axons take more neurons than a core has
// ROWS-NEXT:   at: ntensor.neuron "hid"
// ROWS-NEXT:   expected: at most 7 neurons of a slice, one for each axon that it sends to (truenorth/ns1e, core.neurons: set by the user)
// ROWS-NEXT:   found: {{[0-9]+}} neurons of slice 0
// ROWS-NEXT:   help: nopt {{.*}}net.mlir -p 'ntensor-plan-cores{device="truenorth/ns1e" set="core.neurons=7,core.output_axons=7,core.crossbar.axon_types=2" copies=2 neurons=true},ntensor-fit-axon-types{copies=2 neurons=true}'
