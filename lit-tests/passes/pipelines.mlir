// RUN: rm -rf %t.dir && nopt compile %root/lit-tests/tools/inputs/lif.mlir --dt 1ms --like norse --target c --until ntensor --weight-bits 4 --format json -o %t.dir 2> /dev/null | filecheck %s
// RUN: rm -rf %t.dir && nopt compile %root/lit-tests/tools/inputs/lif.mlir --dt 1ms --like norse --reset subtract --target asic/mesh --set core.neurons=64 --set core.fan_in=200 --until machine --format json -o %t.dir 2> /dev/null | filecheck %s --check-prefix=CORES

// A shorthand is a pass of the pipeline; the report contains the command that repeats the compilation.
// CHECK: "pipeline": "convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f32},ntensor-quantize-weights{bits=4 per=row balance=sums}"

// The mapping passes have the device of the command line, with every setting.
// CORES: "pipeline": "convert-nir-to-ntensor{{.*}},ntensor-legalize{device=\"asic/mesh\" set=\"core.neurons=64\",\"core.fan_in=200\"},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges"

// Integers that are set by hand: an option of the legalisation, or a pass of its own before those of a target without one. The text repeats both.
// RUN: rm -rf %t.dir && nopt compile %root/lit-tests/tools/inputs/weights.mlir --dt 1ms --like norse --target asic/edge --until machine --pin lif.k=20,fc.weight=-5 --pin lif.vth=3 --format json -o %t.dir 2> /dev/null | filecheck %s --check-prefix=LEGALIZED
// RUN: rm -rf %t.dir && nopt compile %root/lit-tests/tools/inputs/weights.mlir --dt 1ms --like norse --target c --until ntensor --weight-bits 4 --pin fc.weight=-5 --format json -o %t.dir 2> /dev/null | filecheck %s --check-prefix=FIRST
// LEGALIZED: "pipeline": "convert-nir-to-ntensor{{.*}},ntensor-legalize{device=\"asic/edge\" pin-values=\"lif.k=20,fc.weight=-5\",\"lif.vth=3\"},convert-ntensor-to-machine,
// FIRST: "pipeline": "convert-nir-to-ntensor{{.*}},ntensor-quantize-weights{bits=4 per=row balance=sums},ntensor-pin-values{values=\"fc.weight=-5\"}"
