// Each preference of a device of kernels changes the source. A default is the first line of its group.
// RUN: rm -rf %t && mkdir -p %t
// RUN: nopt compile %s --target opencl --set opencl.names=make -o %t/default
// RUN: filecheck %s --input-file %t/default/artefact/net.cl
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.form=grid -o %t/grid
// RUN: filecheck %s --input-file %t/grid/artefact/net.cl --check-prefix=GRID
// RUN: not nopt compile %s --target opencl -o %t/names 2>&1 | filecheck %s --check-prefix=NAMES
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.prefix=mine -o %t/prefix
// RUN: filecheck %s --input-file %t/prefix/artefact/mine.cl --check-prefix=PREFIX
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.form=grid --set opencl.fusion=false -o %t/fusion
// RUN: filecheck %s --input-file %t/fusion/artefact/net.cl --check-prefix=FUSION
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.form=grid --set opencl.largest=4 -o %t/largest
// RUN: filecheck %s --input-file %t/largest/artefact/net.cl --check-prefix=FUSION
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.form=grid --set opencl.workgroup=1 -o %t/workgroup
// RUN: filecheck %s --input-file %t/workgroup/artefact/net.cl --check-prefix=WORKGROUP
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.dispatch=19 -o %t/dispatch
// RUN: filecheck %s --input-file %t/dispatch/artefact/net.cl --check-prefix=GRID
// RUN: nopt compile %s --target glsl/lavapipe --set glsl.names=make -o %t/lavapipe
// RUN: filecheck %s --input-file %t/lavapipe/artefact/net_out_kernel.comp --check-prefix=LAVAPIPE
// RUN: not nopt compile %s --target opencl --set opencl.names=make --set opencl.dispatch=0 -o %t/none 2>&1 | filecheck %s --check-prefix=DISPATCH
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.dispatch=65536 -o %t/none
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.ticks=8 -o %t/ticks
// RUN: filecheck %s --input-file %t/ticks/artefact/manifest.json --check-prefix=TICKS
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.ticks=1 -o %t/tick
// RUN: filecheck %s --input-file %t/tick/artefact/net.cl --check-prefix=TICK
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.form=grid --set opencl.layout=elements -o %t/layout
// RUN: filecheck %s --input-file %t/layout/artefact/net.cl --check-prefix=LAYOUT
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.shared=none -o %t/shared
// RUN: filecheck %s --input-file %t/shared/artefact/net.cl --check-prefix=NONE
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.delivery=bitmap -o %t/bitmap
// RUN: filecheck %s --input-file %t/bitmap/artefact/net.cl --check-prefix=BITMAP
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.delivery=events -o %t/events
// RUN: filecheck %s --input-file %t/events/artefact/net.cl --check-prefix=EVENTS
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.storage=wide -o %t/storage
// RUN: filecheck %s --input-file %t/storage/artefact/net.cl --check-prefix=STORAGE
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.planning=false -o %t/planning
// RUN: filecheck %s --input-file %t/planning/artefact/net.cl --check-prefix=PLANNING
// RUN: nopt compile %s --target opencl --set opencl.names=make --set opencl.alignment=64 -o %t/alignment
// RUN: filecheck %s --input-file %t/alignment/artefact/net.cl --check-prefix=ALIGNMENT

// The default: one workgroup for a sample, states in its memory, spikes of 1 byte, all sources for each target, and a constant at a multiple of 4.
// CHECK:      void net_ticks(
// CHECK:        __global const uchar *restrict input_u8,
// CHECK:        __global const float *restrict constant_f32,
// CHECK:        __local float shared_f32[
// CHECK:        barrier(CLK_LOCAL_MEM_FENCE);
// CHECK:        for (uint step = 0u; step < steps; step += 1u) {
// CHECK:          for (uint i{{[0-9]+}} = 0u; i{{[0-9]+}} < 3u; i{{[0-9]+}} += 1u) {
// CHECK:          const float v{{[0-9]+}} = constant_f32[lane_id + 8u];

// GRID:       reqd_work_group_size(2, 1, 1)
// GRID:       void net_out_kernel(
// GRID:         const uint element = (uint)get_global_id(0);
// GRID:         const float v{{[0-9]+}} = memory_f32[memory_f32_row + element];
// GRID-NOT:   __kernel

// Groups are slower than grids on lavapipe, whose device file prefers grids.
// LAVAPIPE: const uint element = 

// DISPATCH:   error[KNL005]: invalid value of dispatch
// DISPATCH:     help: nopt compile {{.*}} --set opencl.dispatch=65536 -o

// NAMES:      error[CSR009]: the name of an input is not a C identifier

// PREFIX:     void mine_ticks(

// A kernel for each op: the sum, the bias, the neuron, and the output.
// FUSION-COUNT-3: __kernel

// WORKGROUP:  reqd_work_group_size(1, 1, 1)

// TICKS:      "ticks": 8,

// States that are copied for one tick would be copied for nothing.
// TICK-NOT:   __local float
// TICK:       memory_f32[

// LAYOUT:     const float v{{[0-9]+}} = memory_f32[(element) * samples + unit];

// NONE-NOT:   __local
// NONE:       barrier(CLK_GLOBAL_MEM_FENCE);

// Bits of the sources in a word, then a test of each bit.
// BITMAP:     shared_i32[lane_id] = (int)(
// BITMAP:     const uint v{{[0-9]+}} = v{{[0-9]+}} >> i{{[0-9]+}};

// Counts of the active sources of each group of 32, then their list, and the number of all.
// EVENTS:     shared_i32[lane_id + 4u] = (int)([[COUNT:s[0-9]+]]);
// EVENTS:     shared_i32[[[PLACE:s[0-9]+]]] = (int)(v{{[0-9]+}});
// EVENTS:     shared_i32[8u] = (int)([[PLACE]]);
// EVENTS:     for (uint i{{[0-9]+}} = 0u; i{{[0-9]+}} < v{{[0-9]+}}; i{{[0-9]+}} += 1u) {

// STORAGE:    __global const int *restrict input_i32,

// PLANNING:   __global const float *restrict fc_weight_constant,

// ALIGNMENT:  const float v{{[0-9]+}} = constant_f32[lane_id + 64u];
ntensor.update @if.f32 <spike> inputs ["x"] states ["v"] params ["t"] derive {
^bb0(%dt: f64):
  ntensor.derived %dt : f64
} initial {
^bb0(%t: f32):
  %0 = arith.constant 0.000000e+00 : f32
  ntensor.initial %0 : f32
} step {
^bb0(%x: f32, %v: f32, %t: f32):
  %0 = arith.addf %v, %x : f32
  %z = arith.cmpf ogt, %0, %t : f32
  %1 = arith.constant 0.000000e+00 : f32
  %2 = arith.select %z, %1, %0 : f32
  ntensor.emit %z, %2 : i1, f32
}
ntensor.network @net("first input" %x: tensor<3xi1>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] : tensor<2x3xf32>>, bias = #nopt.array<[0.5, 0.25] : tensor<2xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %z = ntensor.neuron "lif" @if.f32 (%y) {params = {t = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
