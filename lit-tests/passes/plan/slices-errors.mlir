// RUN: not nopt %S/inputs/cliques.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.neurons=2"}' 2>&1 | filecheck %s
// RUN: nopt %S/inputs/cliques.mlir -p 'ntensor-plan-cores{device="%S/inputs/small.json" set="core.neurons=3"}' | filecheck %s --check-prefix=HELP

// The smallest slices still exceed the device.
// CHECK:      error[MAP020]: the network has more neurons than asic/small holds
// CHECK-NEXT:   expected: at most 8 neurons on 4 cores of 2 (asic/small, core.neurons: set by the user)
// CHECK-NEXT:   found: 12 neurons
// CHECK-NEXT:   help: nopt {{.*}}cliques.mlir -p 'ntensor-plan-cores{device="{{.*}}small.json" set="core.neurons=3"}'

// HELP: tensor<4x1x2xi64>
