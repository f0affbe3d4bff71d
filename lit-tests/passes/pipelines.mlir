// RUN: rm -rf %t.dir && nopt compile %root/lit-tests/tools/inputs/lif.mlir --dt 1ms --like norse --target c --until ntensor --weight-bits 4 --format json -o %t.dir 2> /dev/null | filecheck %s
// RUN: rm -rf %t.dir && nopt compile %root/examples/bars/bars.nir --dt 1ms --like norse --reset subtract --target asic/mesh --set core.neurons=64 --set core.fan_in=200 --until machine --format json -o %t.dir 2> /dev/null | filecheck %s --check-prefix=CORES

// A shorthand is a pass of the pipeline; the report contains the command that repeats the compilation.
// CHECK: "pipeline": "convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f32},ntensor-quantize-weights{bits=4 per=row}"

// The mapping passes have the device of the command line, with every setting.
// CORES: "pipeline": "convert-nir-to-ntensor{{.*}},ntensor-legalize{device=\"asic/mesh\" set=\"core.neurons=64\",\"core.fan_in=200\"},convert-ntensor-to-machine,machine-place-vertices,machine-route-edges"
