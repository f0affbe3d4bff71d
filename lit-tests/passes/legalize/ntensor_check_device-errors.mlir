// RUN: exits 1 nopt %root/examples/bars/bars.nir -p 'convert-nir-to-ntensor{dt-ns=1000 like=sinabs},ntensor-check-device{device=asic/edge}' 2>&1 | filecheck %s --check-prefix=TICK
// RUN: exits 1 nopt %root/examples/bars/bars.nir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-check-device{device=asic/edge set="tick.max=500us,tick.default=200us"}' 2>&1 | filecheck %s --check-prefix=LONG
// RUN: exits 1 nopt %s --split-input-file -p 'ntensor-check-device{device=asic/edge}' 2>&1 | filecheck %s --check-prefix=EDGE
// RUN: exits 1 nopt %s --split-input-file -p 'ntensor-check-device{device=asic/mesh}' 2>&1 | filecheck %s --check-prefix=MESH
// RUN: exits 1 nopt %s --split-input-file -p 'ntensor-check-device{device=asic/multi}' 2>&1 | filecheck %s --check-prefix=MULTI
// RUN: exits 1 nopt %s --split-input-file -p ntensor-check-device 2>&1 | filecheck %s --check-prefix=NONE

// RUN: exits 1 nopt %s --split-input-file -p 'ntensor-check-device{device=asic/multi set="memory.shared.bytes=0KiB,core.memory.data.bytes=0KiB,core.memory_bytes=32KiB"}' 2>&1 | filecheck %s --check-prefix=FULL
// RUN: exits 1 nopt %s --split-input-file -p 'ntensor-check-device{device=asic/multi set="memory.shared.bytes=2byte,core.memory.data.bytes=0KiB,core.memory_bytes=32KiB"}' 2>&1 | filecheck %s --check-prefix=FITS

// RUN: exits 1 nopt %s --split-input-file -p 'ntensor-check-device{device="%S/inputs/kernels.json"}' 2>&1 | filecheck %s --check-prefix=KERNELS
// RUN: nopt %S/../../targets/asic/inputs/windows.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=8},ntensor-check-device{device="%S/inputs/kernels.json" set="synapse.convolution.kernel=3"}' | filecheck %s --check-prefix=INSIDE
// RUN: exits 1 nopt %S/../../targets/asic/inputs/windows.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=8},ntensor-check-device{device="%S/inputs/kernels.json" set="synapse.convolution.kernel=2"}' 2>&1 | filecheck %s --check-prefix=OUTSIDE

// A device that stores kernels only has no layout for a linear op, and none for a kernel of 3 x 3 where 2 is the limit.
// INSIDE:       ntensor.conv2d "conv"
// OUTSIDE:      error[LEG070]: no layout of asic/kernels stores the synapses of "conv"
// OUTSIDE-NEXT:   at: ntensor.conv2d "conv"
// OUTSIDE-NEXT:   expected: kernel of at most 2 (asic/kernels, synapse.convolution.kernel: set by the user)
// OUTSIDE-NEXT:   found: 3
// OUTSIDE-NEXT:   help: nopt check {{.*}} --target auto
// OUTSIDE-NEXT:   note: the device stores synapses in no other layout
// KERNELS:      error[LEG070]: no layout of asic/kernels stores the synapses of "fc"
// KERNELS-NEXT:   at: ntensor.linear "fc"
// KERNELS-NEXT:   expected: a convolution or a pool (asic/kernels, synapse.formats)
// KERNELS-NEXT:   found: ntensor.linear
// KERNELS-NEXT:   help: nopt check {{.*}} --target auto
// KERNELS:      error[LEG070]: no layout of asic/kernels stores the synapses of "pool"
// KERNELS-NEXT:   at: ntensor.sum_pool2d "pool"
// KERNELS-NEXT:   expected: stride of at most 1 (asic/kernels, synapse.convolution.stride: synthetic, for tests; not available in silicon)
// KERNELS-NEXT:   found: 2

// Two weights of 16 bits take entries of 32 (asic/multi, synapse.formats.half), 8 bytes: four chips with two bytes each are enough, chips
// without memory are not.
// FULL:      error[LEG068]: the weights are larger than the memory of asic/multi
// FULL-NEXT:   at: ntensor.network @learns
// FULL-NEXT:   expected: at most 0 bytes of synapses (asic/multi: core.memory.data.bytes, memory.shared.bytes)
// FULL-NEXT:   found: 8 bytes
// FITS-NOT:  LEG068
// FITS:      error[LEG065]

// An unsupported tick, and parameters beyond the limits, are reported together.
// TICK:      error[LEG064]: asic/edge has no tick of 1000 ns
// TICK-NEXT:   at: ntensor.network @bars
// TICK-NEXT:   expected: at least 100000 ns (asic/edge, tick.min: synthetic, for tests; not available in silicon)
// TICK-NEXT:   found: 1000 ns
// TICK-NEXT:   help: nopt {{.*}}bars.nir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-check-device{device=asic/edge}'
// TICK:      error[LEG066]: asic/edge does not hold the parameter {{.*}} of "detectors"
// TICK:        expected: i16 or u9 (asic/edge, neuron.dtypes)
// TICK:        found: {{.*}}: reals
// TICK:        help: nopt {{.*}}bars.nir -p 'convert-nir-to-ntensor{dt-ns=1000 like=sinabs},ntensor-set-neuron-model{to="asic/edge" nodes=detectors},ntensor-check-device{device=asic/edge}'
// LONG:      error[LEG064]: asic/edge has no tick of 1000000 ns
// LONG:        expected: at most 500000 ns (asic/edge, tick.max: set by the user)

// Plasticity: a chip that does not learn, and a rule that needs narrower weights. Programmable rules are supported.
// EDGE:       error[CHI022]: asic/edge does not change weights by stdp
// EDGE-NEXT:    at: ntensor.linear "fc"
// EDGE-NEXT:    expected: weights that stay (asic/edge, plasticity)
// EDGE-NEXT:    found: stdp
// EDGE-NEXT:    help: nopt {{.*}}ntensor_check_device-errors.mlir --split-input-file -p 'ntensor-freeze-plasticity{nodes=fc},ntensor-check-device{device=asic/edge}'
// MESH:       error[CHI022]: asic/mesh does not change weights by stdp
// MESH:         expected: pairs (stdp)
// MESH:         note: pairs: {{.*}}weight_bits
// MULTI-NOT:  CHI022
ntensor.network @learns("in" %x: tensor<2xi1>) -> ("out": tensor<1xi16>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2]] : tensor<1x2xi16>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<2xi1> -> tensor<1xi16>
  ntensor.output %y : tensor<1xi16>
}

// -----

// The payload of spikes: one bit, 16 with a sign, or up to 15 spikes at once.
// EDGE:       error[LEG065]: spikes of asic/edge do not carry this
// EDGE-NEXT:    at: input "in"
// EDGE-NEXT:    expected: u1 (asic/edge, spike.dtypes)
// EDGE-NEXT:    found: !ntensor.count<5>
// EDGE-NEXT:    help: declare the input as a tensor of i1, with several lines for larger values
// MULTI:      error[LEG065]: spikes of asic/multi do not carry this
// MULTI-NEXT:   at: input "in"
// MULTI-NEXT:   expected: at most 15 spikes in a tick (asic/multi, spike.most: synthetic
// NONE:       error[DEV023]: no device is specified
ntensor.network @counts("in" %x: tensor<2x!ntensor.count<5>>) -> ("out": tensor<1xi16>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1, 2]] : tensor<1x2xi8>>} : tensor<2x!ntensor.count<5>> -> tensor<1xi16>
  ntensor.output %y : tensor<1xi16>
}

// -----

// A pool is a convolution with one group for each channel.
ntensor.network @pools("in" %x: tensor<2x6x6xi1>) -> ("out": tensor<2x3x3xi16>) attributes {tick_ns = 1000000} {
  %y = ntensor.sum_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<2x6x6xi1> -> tensor<2x3x3xi16>
  ntensor.output %y : tensor<2x3x3xi16>
}
