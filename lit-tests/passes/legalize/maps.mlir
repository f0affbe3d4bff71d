// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="asic/mesh"}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="xylo/audio2" approximate=count keep=update}' | filecheck %s --check-prefix=SUM
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="xylo/audio2" keep=update}' 2>&1 | filecheck %s --check-prefix=COUNT

// Upsampled events and the kernel after them become one list of synapses; the max pool becomes a population, which becomes a neuron of the device.
// CHECK:      ntensor.network @maps(
// CHECK-SAME:   machine.steps = ["ntensor-quantize-inputs{kind=spike}", "ntensor-lower-max-pools", "ntensor-merge-synapses{nodes=up}", "ntensor-quantize-weights{per=neuron}"
// CHECK-SAME:   "ntensor-map-relays"
// CHECK-NOT:    upsample2d
// CHECK:        ntensor.sparse_linear "conv" %input
// CHECK:        ntensor.sparse_linear "pool.in"
// CHECK-NEXT:   ntensor.neuron "pool" @mesh_cuba.value
// CHECK:        ntensor.conv_transpose2d "back"

// A chip whose neurons fire as often as spikes arrive adds the spikes of a window, if that is permitted.
// SUM:        machine.steps = ["ntensor-quantize-inputs{kind=spike}", "ntensor-lower-max-pools{by=sum}"
// SUM:        ntensor.sum_pool2d "pool"
// COUNT:      error[LEG101]: xylo/audio2 approximates the network: count [approximation-not-permitted]
// COUNT-NEXT:   at: ntensor-lower-max-pools{by=sum}
// COUNT-NEXT:   expected: a permission of count
// COUNT-NEXT:   found: max pools as sum pools: all spikes of a window in a tick count, each 1 of one
// COUNT-NEXT:   help: {{.*}}approximate=count
nir.graph @maps("input" %x: tensor<1x2x2xf32>) -> ("output": tensor<1x4x4xi1>) {
  %u = nir.upsample2d "up" %x {factor = #nopt.array<2 : tensor<i64>>, mode = "nearest"} : tensor<1x2x2xf32> -> tensor<1x4x4xf32>
  %c = nir.conv2d "conv" %u {weight = #nopt.array<[[[[1.0, 2.0, 1.0], [0.5, 1.0, -0.5], [1.0, 2.0, 1.0]]]] : tensor<1x1x3x3xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<1 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x4x4xf32> -> tensor<1x4x4xf32>
  %z = nir.lif "lif" %c {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<20.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1x4x4xf32> -> tensor<1x4x4xi1>
  %m = nir.max_pool2d "pool" %z {kernel_size = #nopt.array<2 : tensor<i64>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>} : tensor<1x4x4xi1> -> tensor<1x2x2xi1>
  %b = nir.conv_transpose2d "back" %m {weight = #nopt.array<[[[[1.0, 2.0], [0.5, 1.0]]]] : tensor<1x1x2x2xf32>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<0 : tensor<i64>>, output_padding = #nopt.array<0 : tensor<i64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<0.0 : tensor<f32>>} : tensor<1x2x2xi1> -> tensor<1x4x4xf32>
  %o = nir.lif "lif2" %b {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<20.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1x4x4xf32> -> tensor<1x4x4xi1>
  nir.output %o : tensor<1x4x4xi1>
}
