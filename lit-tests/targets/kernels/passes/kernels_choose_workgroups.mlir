// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-fuse-stages,kernels-choose-workgroups' | filecheck %s
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-choose-workgroups{form=group ticks=8}' | filecheck %s --check-prefix=STAGES
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-choose-workgroups{form=grid workgroup=1}' | filecheck %s --check-prefix=GRID
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-choose-workgroups{form=grid workgroup=1 limits="workgroup_count:1"}' | filecheck %s --check-prefix=COUNT
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-choose-workgroups{layout=elements}' | filecheck %s --check-prefix=LAYOUT
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-choose-workgroups{parameters=push limits="push_constant_bytes:20"}' | filecheck %s --check-prefix=PUSH
// RUN: not nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-choose-workgroups{parameters=push limits="push_constant_bytes:19"}' 2>&1 | filecheck %s --check-prefix=PUSHED
// RUN: not nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-choose-workgroups{workgroup=0}' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-fuse-stages,kernels-choose-workgroups{dispatch=20}' | filecheck %s
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-fuse-stages,kernels-choose-workgroups{dispatch=19}' | filecheck %s --check-prefix=WORK
// RUN: not nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-choose-workgroups{dispatch=0}' 2>&1 | filecheck %s --check-prefix=DISPATCH
// RUN: not nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels,kernels-choose-workgroups{limits="warps:4"}' 2>&1 | filecheck %s --check-prefix=UNKNOWN

// A small network is one kernel, with a workgroup for each sample and several ticks in a dispatch.
// CHECK:       kernels.kernel "ticks" {{.*}} {workgroup = 2 : i64, form = #kernels<form group>, ticks = 1024 : i64}

// STAGES:      kernels.kernel "ticks" {{.*}} ticks = 8 : i64}
// STAGES-COUNT-4: kernels.stage 2

// GRID:        kernels.kernel "fc_kernel" {{.*}} {workgroup = 1 : i64}

// Two workgroups of one invocation are one of two.
// COUNT:       kernels.kernel "fc_kernel" {{.*}} {workgroup = 2 : i64}

// LAYOUT:      interleaved

// The numbers of a dispatch are five words.
// PUSH:        pushed
// PUSHED:      error[KRN002]: every dispatch exceeds push_constant_bytes of the device
// PUSHED:        found: 20 byte
// PUSHED:        help: nopt {{.*}}kernels-choose-workgroups{parameters=uniform limits="push_constant_bytes:19"}

// The fused kernel has 2 elements, each with 3 weights and 3 spikes, a bias, the potential before and after, and a spike: 2 (3 2 + 4) = 20 accesses.
// WORK-NOT:    form group

// DISPATCH:    error[KNL005]: invalid value of dispatch
// DISPATCH:      help: nopt {{.*}}kernels-choose-workgroups{dispatch=65536}

// NONE:        error[KNL005]: invalid value of workgroup
// NONE:          expected: at least 1

// UNKNOWN:     error[KNL003]: unknown limit "warps"
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
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] : tensor<2x3xf32>>, bias = #nopt.array<[0.5, 0.25] : tensor<2xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %z = ntensor.neuron "lif" @if.f32 (%y) {params = {t = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
