// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-plan-buffers,kernels-choose-workgroups{form=group},kernels-use-shared-memory' | filecheck %s
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-plan-buffers,kernels-choose-workgroups{form=group},kernels-use-shared-memory{shared=scratch}' | filecheck %s --check-prefix=SCRATCH
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-plan-buffers,kernels-choose-workgroups{form=group},kernels-use-shared-memory{shared=none}' | filecheck %s --check-prefix=NONE
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-plan-buffers,kernels-choose-workgroups{form=group},kernels-use-shared-memory{limits="shared_bytes:10"}' | filecheck %s --check-prefix=SMALL
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-plan-buffers,kernels-choose-workgroups{form=group},kernels-use-shared-memory{limits="shared_bytes:9"}' | filecheck %s --check-prefix=TIGHT
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-plan-buffers,kernels-choose-workgroups{form=group},kernels-use-shared-memory{limits="shared_bytes:1"}' | filecheck %s --check-prefix=NONE
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-plan-buffers,kernels-choose-workgroups{form=group ticks=1},kernels-use-shared-memory' | filecheck %s --check-prefix=ONE
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-plan-buffers,kernels-choose-workgroups{form=grid},kernels-use-shared-memory' | filecheck %s --check-prefix=NONE
// RUN: not nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-plan-buffers,kernels-choose-workgroups{form=group},kernels-use-shared-memory{limits="bindings:3"}' 2>&1 | filecheck %s --check-prefix=BINDINGS
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-plan-buffers,kernels-choose-workgroups{form=group},kernels-use-shared-memory{limits="bindings:4"}' | filecheck %s

// The input, the output, the weights and the states are bound; shared memory is not.
// BINDINGS:    error[KRN002]: kernel ticks exceeds bindings of the device
// BINDINGS:      found: 4 buffers

// The sums between the stages are shared. The membrane is copied before the first tick of a dispatch, and back after the last.
// CHECK:       kernels.buffer "fc_sums" #kernels<kind shared> {offset = 0 : i64}
// CHECK:       [[V:%[0-9a-z_]+]] = kernels.buffer "lif_v" #kernels<kind state>
// CHECK:       kernels.buffer "lif" #kernels<kind shared>
// CHECK:       [[COPY:%[0-9a-z_]+]] = kernels.buffer "lif_v_shared" #kernels<kind shared>
// CHECK:       kernels.kernel "ticks"
// CHECK-NEXT:    kernels.stage 2 attributes {phase = #kernels<phase enter>} {
// CHECK:           [[X:%[0-9]+]] = kernels.load [[V]][%{{.*}}]
// CHECK-NEXT:      kernels.store [[X]], [[COPY]][
// CHECK:         kernels.stage 2 {
// CHECK:           kernels.load [[COPY]][
// CHECK:         kernels.stage 2 attributes {phase = #kernels<phase leave>} {
// CHECK:           kernels.store %{{.*}}, [[V]][

// SCRATCH:     kernels.buffer "fc_sums" #kernels<kind shared>
// SCRATCH-NOT: lif_v_shared
// SCRATCH-NOT: phase

// NONE-NOT:    #kernels<kind shared>

// Two sums of 4 bytes and two spikes of 1 byte fit into 10 bytes; the copy of the membrane needs 8 more.
// SMALL:       kernels.buffer "fc_sums" #kernels<kind shared>
// SMALL:       kernels.buffer "lif" #kernels<kind shared>
// SMALL-NOT:   lif_v_shared

// In 9 bytes only the spikes fit.
// TIGHT:       kernels.buffer "fc_sums" #kernels<kind scratch>
// TIGHT:       kernels.buffer "lif" #kernels<kind shared>
// TIGHT-NOT:   lif_v_shared

// A dispatch of one tick copies no states, since the copies would cost as much as they save.
// ONE:         kernels.buffer "fc_sums" #kernels<kind shared>
// ONE-NOT:     phase
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
ntensor.network @net("input" %x: tensor<3xi1>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] : tensor<2x3xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %z = ntensor.neuron "lif" @if.f32 (%y) {params = {t = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
