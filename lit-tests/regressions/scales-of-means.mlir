// Synapses of a mean and of spikes meet in one neuron. They had the same scale, so that their integers had different values, and LEG028 advised the
// pass that had run. Now the scale after a mean of four is four times that of the others.

// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=5 per=neuron},ntensor-set-neuron-model{to="%S/../passes/legalize/inputs/fixed.neuron"}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-weight-masks,ntensor-set-neuron-model{to="%S/../passes/legalize/inputs/fixed.neuron" approximate=threshold}' | filecheck %s --check-prefix=MASKS
// RUN: mutate 's/1x2x4xi1/1x3x6xi1/' 's/%x : tensor<1x2x4xi1>/%x : tensor<1x3x6xi1>/' 's/<\[2, 2\]/<[3, 3]/g' %s > %t.mlir
// RUN: exits 1 nopt %t.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=5 per=neuron},ntensor-set-neuron-model{to="%S/../passes/legalize/inputs/fixed.neuron"}' 2>&1 | filecheck %s --check-prefix=NINE
// RUN: nopt %t.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-merge-synapses,ntensor-quantize-weights{bits=5 per=neuron},ntensor-set-neuron-model{to="%S/../passes/legalize/inputs/fixed.neuron"}' | filecheck %s --check-prefix=MERGED

// A step is 1 / 8: a spike before the mean has an effect of up to 4 / 4, one of the other input up to 1.
// CHECK:      ntensor.sum_pool2d "pool"
// CHECK:      ntensor.linear "one" {{.*}}weight = #nopt.array<{{\[\[}}8, -2], [2, 4]] : tensor<2x2xi8>>, quantized = #ntensor.quantized<5, #nopt.array<{{\[\[}}0.5], [0.5]]
// CHECK:      ntensor.linear "two" {{.*}}weight = #nopt.array<{{\[\[}}6, -2], [4, 8]] : tensor<2x2xi8>>, quantized = #ntensor.quantized<5, #nopt.array<{{\[\[}}0.125], [0.125]]
// MASKS:      ntensor.neuron "a" @fixed_lif
// NINE:       error[LEG028]: synapses that meet in one neuron have different scales
// NINE:         help: nopt {{.*}} -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-merge-synapses,ntensor-quantize-weights{bits=5 per=neuron},ntensor-set-neuron-model{{{.*}}}'
// MERGED:     ntensor.sparse_linear "one" %in

nir.graph @means("in" %x: tensor<1x2x4xi1>, "more" %m: tensor<2xi1>) -> ("first": tensor<2xi1>) {
  %p = nir.avg_pool2d "pool" %x {kernel_size = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>} : tensor<1x2x4xi1> -> tensor<1x1x2xf32>
  %f = nir.flatten "flat" %p {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<1x1x2xf32> -> tensor<2xf32>
  %a = nir.linear "one" %f {weight = #nopt.array<[[4.0, -1.0], [1.0, 2.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %b = nir.linear "two" %m {weight = #nopt.array<[[0.75, -0.25], [0.5, 1.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %s = nir.sum %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %y = nir.lif "a" %s {tau = #nopt.array<0.004 : tensor<f64>>, r = #nopt.array<4.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<2.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %y : tensor<2xi1>
}
