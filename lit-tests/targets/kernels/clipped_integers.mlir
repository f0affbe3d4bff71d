// A sum of 33 bits that a saturation follows is clipped before it, so that kernels compute it in 32 bits.
// RUN: rm -rf %t && mkdir -p %t
// RUN: nopt compile %s --target wgsl -o %t/wgsl
// RUN: filecheck %s --input-file %t/wgsl/artefact/net_ticks.wgsl
// RUN: nopt compile %s --target opencl -o %t/opencl
// RUN: filecheck %s --input-file %t/opencl/artefact/net.cl --check-prefix=OPENCL

// v is 0 to 1000: the result is the same for every x outside of -1000..1000.
// CHECK:       min(max(v{{[0-9]+}}, (-1000)), 1000);

// OPENCL-NOT:  long
ntensor.update @gain.int <spike> inputs ["x"] states ["v"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<0, 1000>
  ntensor.initial %1 : !fixed.int<0, 1000>
} step {
^bb0(%x: !fixed.int<-2147483648, 2147483647>, %v: !fixed.int<0, 1000>):
  %s = fixed.add %x, %v : !fixed.int<-2147483648, 2147483647>, !fixed.int<0, 1000> -> !fixed.int<-2147483648, 2147484647>
  %y = fixed.saturate %s : !fixed.int<-2147483648, 2147484647> -> !fixed.int<0, 1000>
  %t = fixed.constant 500 : !fixed.int<500, 500>
  %z = fixed.cmp gt %y, %t : !fixed.int<0, 1000>, !fixed.int<500, 500>
  ntensor.emit %z, %y : i1, !fixed.int<0, 1000>
}
ntensor.network @net("input" %x: tensor<2xsi32>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %z = ntensor.neuron "gain" @gain.int (%x) {params = {}, initial = {v = #nopt.array<0 : tensor<i32>>}} : (tensor<2xsi32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
