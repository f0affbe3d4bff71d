// The host reads counts, where the neurons of the chip spike several times in a tick: a reshape of the readout was left with single spikes.
// RUN: rm -rf %t && nopt compile %s --target dynapcnn --dt 1ms --like norse --approximate count,comparison -o %t
// RUN: nopt run %t --input constant:1 --ticks 4 | filecheck %s
// RUN: filecheck %s --check-prefix=READOUT --input-file %t/artefact/readout.mlir

// CHECK: output
// READOUT: ntensor.reshape "flat" {{.*}} : tensor<1x2x!ntensor.count<{{[0-9]+}}>> -> tensor<2x!ntensor.count<{{[0-9]+}}>>
nir.graph @readout("input" %x: tensor<1x2xf32>) -> ("output": tensor<1xf32>) {
  %a = nir.conv1d "c" %x {weight = #nopt.array<constant(value = 1.0) : tensor<1x1x1xf32>>, bias = #nopt.array<constant(value = 0.0) : tensor<1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %z = nir.if "n" %a {r = #nopt.array<constant(value = 1.0) : tensor<1x2xf32>>, v_threshold = #nopt.array<constant(value = 0.5) : tensor<1x2xf32>>, v_reset = #nopt.array<constant(value = 0.0) : tensor<1x2xf32>>} : tensor<1x2xf32> -> tensor<1x2xi1>
  %f = nir.flatten "flat" %z {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<1x2xi1> -> tensor<2xi1>
  %b = nir.linear "fc" %f {weight = #nopt.array<constant(value = 1.0) : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %o = nir.li "li" %b {tau = #nopt.array<constant(value = 0.01) : tensor<1xf64>>, r = #nopt.array<constant(value = 1.0) : tensor<1xf32>>, v_leak = #nopt.array<constant(value = 0.0) : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %o : tensor<1xf32>
}
