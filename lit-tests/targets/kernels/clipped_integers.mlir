// A product of 35 bits that a saturation follows is clipped before it, so that kernels compute it in 32 bits.
// RUN: rm -rf %t && mkdir -p %t
// RUN: nopt compile %s --target wgsl -o %t/wgsl
// RUN: filecheck %s --input-file %t/wgsl/artefact/net_ticks.wgsl
// RUN: nopt compile %s --target opencl -o %t/opencl
// RUN: filecheck %s --input-file %t/opencl/artefact/net.cl --check-prefix=OPENCL

// 1000 / 8 = 125: the result is the same for every x outside of 0..125.
// CHECK:       = max(v{{[0-9]+}}, 0);
// CHECK-NEXT:  = min(v{{[0-9]+}}, 125);

// OPENCL-NOT:  long
ntensor.update @gain.int <spike> inputs ["x"] states ["v"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<0, 1000>
  ntensor.initial %1 : !fixed.int<0, 1000>
} step {
^bb0(%x: !fixed.int<-2147483648, 2147483647>, %v: !fixed.int<0, 1000>):
  %g = fixed.constant 8 : !fixed.int<8, 8>
  %p = fixed.mul %x, %g : !fixed.int<-2147483648, 2147483647>, !fixed.int<8, 8> -> !fixed.int<-17179869184, 17179869176>
  %y = fixed.saturate %p : !fixed.int<-17179869184, 17179869176> -> !fixed.int<0, 1000>
  %t = fixed.constant 500 : !fixed.int<500, 500>
  %z = fixed.cmp gt %y, %t : !fixed.int<0, 1000>, !fixed.int<500, 500>
  ntensor.emit %z, %y : i1, !fixed.int<0, 1000>
}
ntensor.network @net("input" %x: tensor<2xsi32>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "gain" @gain.int (%x) {params = {}, initial = {v = #nopt.array<0 : tensor<i32>>}} : (tensor<2xsi32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
