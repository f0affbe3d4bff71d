// A chip in each exit dialect: the limits of its device are checked if it names one.
// RUN: nopt %S/../asic/inputs/chip.mlir | filecheck %s --check-prefix=ASIC
// RUN: nopt %S/../loihi2/inputs/loihi2.mlir | filecheck %s --check-prefix=LOIHI
// RUN: mutate 's/machine.device/machine.set = ["core.neurons=2", "core.input_axons=2"], machine.device/' %S/../loihi2/inputs/loihi2.mlir | nopt - -o /dev/null
// ASIC:  asic.chip @net attributes {machine.device = #nopt.device<"asic/mesh"
// LOIHI: loihi2.chip @net attributes {machine.device = #nopt.device<"loihi2/oheo_gulch"
