// Maps that a population adds are channels of one layer, and have one size.
// RUN: mutate 's/nir.if "n2" %c /nir.if "n2" %j /' 's/%d = nir.if/%g = nir.flatten "all" %x {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<-1 : tensor<i64>>} : tensor<2x8x8xf32> -> tensor<128xf32>\n  %e = nir.linear "fc2" %g {weight = #nopt.array<constant(value = 1.0) : tensor<3x128xf32>>} : tensor<128xf32> -> tensor<3xf32>\n  %j = nir.sum %c, %e : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>\n  %d = nir.if/' %S/inputs/net.mlir | not nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o /dev/null 2>&1 | filecheck %s --check-prefix=SUM
// SUM:      error[CHI014]: no kernel computes the maps of a layer together
// SUM-NEXT:   at: ntensor.linear "fc2"
// SUM-NEXT:   expected: equal sizes of maps, and equal strides
// SUM-NEXT:   found: 2 x 8 x 8, 2 x 2 x 2
// SUM-NEXT:   help: nopt check {{.*}} --target auto
// SUM-NEXT:   note: give the layers that a population adds equal maps and strides

// A loop has a delay, which no layer has.
// RUN: not nopt %S/inputs/loop.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract loop-delay=spikes},ntensor-legalize{device=dynapcnn/speck2f approximate=count,comparison},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o /dev/null 2>&1 | filecheck %s --check-prefix=LOOP
// RUN: not nopt check %S/inputs/loop.mlir --target dynapcnn --dt 1ms --like norse --reset subtract --loop-delay spikes 2>&1 | filecheck %s --check-prefix=RECURRENCE
// LOOP:      error[CHI015]: no layer delays events
// LOOP-NEXT:   at: ntensor.delay "n.delay"
// RECURRENCE: error[LEG016]: recurrence: dynapcnn/speck2f does not support this
// RECURRENCE:   expected: no loop (dynapcnn/speck2f, features.recurrence: {{.*}})
// RECURRENCE:   note: cores that send to each other can deadlock

// A network without populations has no layers.
// RUN: mutate '/nir.if "n2"/d' 's/nir.output %d : tensor<3xi1>/nir.output %c : tensor<3xf32>/' 's/"out": tensor<3xi1>/"out": tensor<3xf32>/' '/nir.if "n1"/d' 's/sum_pool2d "p1" %b/sum_pool2d "p1" %a/' 's/: tensor<2x4x4xi1> -> tensor<2x2x2xf32>/: tensor<2x4x4xf32> -> tensor<2x2x2xf32>/' %S/inputs/net.mlir | not nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f keep=readout},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o /dev/null 2>&1 | filecheck %s --check-prefix=NONE
// NONE:      error[CHI014]: the network has no population
// NONE-NEXT:   at: ntensor.network @net
// NONE-NEXT:   expected: at least one
// NONE-NEXT:   found: none
// NONE-NEXT:   help: nopt check {{.*}} --target auto
// NONE-NEXT:   note: put a population of integrate-and-fire neurons after the weights

// Windows of a pool are side by side. Neurons after the pool are the remedy, which takes a layer.
// RUN: mutate 's/kernel_size = #nopt.array<\[2, 2\] : tensor<2xi64>>, stride = #nopt.array<\[2, 2\]/kernel_size = #nopt.array<[3, 3] : tensor<2xi64>>, stride = #nopt.array<[1, 1]/' %S/inputs/net.mlir > %t.overlap.mlir
// RUN: nopt %t.overlap.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-split-pools,ntensor-legalize{device=dynapcnn/speck2f approximate=count},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o /dev/null
// RUN: not nopt %t.overlap.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o /dev/null 2>&1 | filecheck %s --check-prefix=OVERLAP
// OVERLAP:      error[CHI015]: a pool of a destination has windows side by side
// OVERLAP-NEXT:   at: ntensor.sum_pool2d "p1"
// OVERLAP-NEXT:   expected: a stride that is the size, and no padding
// OVERLAP-NEXT:   found: size 3 x 3, stride 1 x 1, padding {{\[\[}}0, 0], [0, 0]]
// OVERLAP-NEXT:   help: nopt {{.*}}lowering-errors.mlir.tmp.overlap.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-split-pools,ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o {{.*}}null

// Events are not delayed.
// RUN: mutate 's/sum_pool2d "p1" %b/sum_pool2d "p1" %l/' '/sum_pool2d "p1"/i %l = nir.delay "late" %b {delay = #nopt.array<constant(value = 0.002) : tensor<2x4x4xf32>>} : tensor<2x4x4xi1> -> tensor<2x4x4xi1>' %S/inputs/net.mlir | not nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f keep=delay},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o /dev/null 2>&1 | filecheck %s --check-prefix=DELAY
// RUN: mutate 's/sum_pool2d "p1" %b/sum_pool2d "p1" %l/' '/sum_pool2d "p1"/i %l = nir.delay "late" %b {delay = #nopt.array<constant(value = 0.002) : tensor<2x4x4xf32>>} : tensor<2x4x4xi1> -> tensor<2x4x4xi1>' %S/inputs/net.mlir > %t.late.mlir
// RUN: not nopt compile %t.late.mlir --target dynapcnn --dt 1ms --like sinabs -o %t.late 2>&1 | filecheck %s --check-prefix=LATE
// RUN: nopt compile %t.late.mlir --target dynapcnn --dt 1ms --like sinabs --approximate delay -o %t.late -v | filecheck %s --check-prefix=NOW
// LATE: error[LEG101]: dynapcnn/speck2f approximates the network: delay
// LATE:   help: nopt compile {{.*}} --approximate delay
// NOW: fits dynapcnn/speck2f with approximations (delay)
// DELAY:      error[CHI015]: no layer delays events
// DELAY-NEXT:   at: ntensor.delay "late"
// DELAY-NEXT:   expected: no delay: events are processed as they arrive
// DELAY-NEXT:   found: up to 2 ticks
// DELAY-NEXT:   help: nopt check {{.*}} --target auto
// DELAY-NEXT:   note: remove the delay

// Weights are integers. The help works.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-inputs{kind=spike},ntensor-legalize{device=dynapcnn/speck2f keep=update,weight_bits}' -o %t.reals.mlir
// RUN: not nopt %t.reals.mlir -p convert-ntensor-to-dynapcnn -o /dev/null 2>&1 | filecheck %s --check-prefix=REALS
// RUN: nopt %t.reals.mlir -p 'ntensor-quantize-layers,ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o /dev/null
// REALS:      error[CHI016]: weights or biases are not integers of the device
// REALS-NEXT:   at: ntensor.conv2d "c1"
// REALS-NEXT:   expected: integers without a shift
// REALS-NEXT:   found: weights of float32, added as f64
// REALS-NEXT:   help: nopt {{.*}}lowering-errors.mlir.tmp.reals.mlir -p 'ntensor-quantize-layers,ntensor-legalize{device="dynapcnn/speck2f"},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o {{.*}}null

// Neurons are those of the device.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=6 per=population},ntensor-quantize-bias,ntensor-set-neuron-model{to=truenorth approximate=count,bound},ntensor-legalize{device=dynapcnn/speck2f keep=update}' -o %t.other.mlir
// RUN: not nopt %t.other.mlir -p convert-ntensor-to-dynapcnn -o /dev/null 2>&1 | filecheck %s --check-prefix=NEURON
// NEURON:      error[CHI013]: the neurons are not those of the chip
// NEURON-NEXT:   at: ntensor.neuron "n1"
// NEURON-NEXT:   expected: a neuron of dynapcnn/speck2f: speck
// NEURON-NEXT:   found: @truenorth.subtract.saturate.constant
// NEURON-NEXT:   help: nopt {{.*}}lowering-errors.mlir.tmp.other.mlir -p 'ntensor-set-neuron-model{to=dynapcnn/speck2f},convert-ntensor-to-dynapcnn' -o {{.*}}null

// A scale for each filter makes thresholds that differ; one scale for a layer does not.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=neuron},ntensor-quantize-bias' -o %t.rows.mlir
// RUN: not nopt %t.rows.mlir -p 'ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o /dev/null 2>&1 | filecheck %s --check-prefix=SCALES
// RUN: nopt %t.rows.mlir -p 'ntensor-quantize-layers,ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o /dev/null
// SCALES:      error[DYN012]: th differs within a layer
// SCALES-NEXT:   at: ntensor.neuron "n1"
// SCALES-NEXT:   expected: one value for all neurons of a layer
// SCALES-NEXT:   found: 64 to 128
// SCALES-NEXT:   help: nopt {{.*}}lowering-errors.mlir.tmp.rows.mlir -p 'ntensor-quantize-layers,ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o {{.*}}null

// Outputs are events of populations.
// RUN: mutate '/nir.if "n2"/d' 's/nir.output %d : tensor<3xi1>/nir.output %c : tensor<3xf32>/' 's/"out": tensor<3xi1>/"out": tensor<3xf32>/' %S/inputs/net.mlir | not nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f keep=readout},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o /dev/null 2>&1 | filecheck %s --check-prefix=OUTPUT
// OUTPUT:      error[DYN009]: output "out" is not the events of a population
// OUTPUT-NEXT:   at: ntensor.linear "fc"
// OUTPUT-NEXT:   expected: a population of the device
// OUTPUT-NEXT:   found: ntensor.linear "fc"
// OUTPUT-NEXT:   help: nopt check {{.*}} --target auto
// OUTPUT-NEXT:   note: put a population of integrate-and-fire neurons before the output

// Weights that learn are refused, and frozen ones are not.
// RUN: mutate '/"fc"/s/: tensor<3x8xf32>>}/: tensor<3x8xf32>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, -1.0, 1.0>}/' %S/inputs/net.mlir > %t.stdp.mlir
// RUN: not nopt check %t.stdp.mlir --target dynapcnn --dt 1ms --like sinabs 2>&1 | filecheck %s --check-prefix=STDP
// RUN: nopt compile %t.stdp.mlir --target dynapcnn --dt 1ms --like sinabs -p ntensor-freeze-plasticity -o %t.frozen
// STDP:          error[CHI022]: dynapcnn/speck2f does not change weights by stdp

// A pool that is none of a destination makes the kernel and the stride larger: 24 taps are too many. Neurons after the pool are the remedy, which takes a layer.
// RUN: mutate 's/"c2" %q {weight = #nopt.array<constant(value = 1.0) : tensor<1x1x1x1xf32>>/"c2" %q {weight = #nopt.array<constant(value = 1.0) : tensor<1x1x3x3xf32>>/' '/"c2"/s/padding = #nopt.array<\[0, 0\]/padding = #nopt.array<[1, 1]/' %S/inputs/pools.mlir > %t.eight.mlir
// RUN: not nopt %t.eight.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f set="features.channels_out=3"},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o /dev/null 2>&1 | filecheck %s --check-prefix=EIGHT
// RUN: nopt %t.eight.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-inputs{kind=spike},ntensor-split-pools,ntensor-legalize{device=dynapcnn/speck2f approximate=count},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o /dev/null
// EIGHT:      error[DYN004]: the kernel is too large
// EIGHT-NEXT:   at: dynapcnn.cnn_layer "c2"
// EIGHT-NEXT:   expected: at most 16 taps (dynapcnn/speck2f, features.kernel: {{.*}})
// EIGHT-NEXT:   found: 24 taps
// EIGHT-NEXT:   help: nopt {{.*}}eight.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-split-pools,ntensor-legalize{device=dynapcnn/speck2f set="features.channels_out=3"},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o {{.*}}null

// A pool of 3 makes a stride of 3, which no core has, and the map is too large for positions as features.
// RUN: mutate 's/\[8, 8\] : tensor<2xi64>/[3, 3] : tensor<2xi64>/g' 's/1x16x16/1x24x24/g' 's/1x2x2/1x8x8/g' %S/inputs/pools.mlir | exits 1 nopt compile - --target dynapcnn --dt 1ms --like sinabs -o %t.three 2>&1 | filecheck %s --check-prefix=THREE
// THREE:      error[DYN004]: the stride is not a power of two
// THREE:        found: 3 x 3
// THREE-NEXT:   help: nopt check - --dt 1ms --like sinabs --target auto

// Thresholds of outputs may differ: 2 * 31.75 is that of all, as the weights of each are divided by its part. Those of one map may not.
// RUN: mutate '/"n2"/s/constant(value = 2.0)/[0.5, 1.0, 2.0]/' %S/inputs/net.mlir | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-inputs{kind=spike},ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' | filecheck %s --check-prefix=SHARES
// RUN: mutate '/"n1"/s/v_threshold = #nopt.array<constant(value = 1.0)/v_threshold = #nopt.array<uniform(low = 1.0, high = 2.0, seed = 1)/' %S/inputs/net.mlir | exits 1 nopt compile - --target dynapcnn --dt 1ms --like sinabs -o %t.map 2>&1 | filecheck %s --check-prefix=MAP
// SHARES:   "ntensor-quantize-layers", "weights of 8 and biases of 8 bits, one scale per layer, in proportion to the thresholds of its outputs"
// SHARES:   dynapcnn.cnn_layer "fc" of "n2" {{.*}} threshold_high = 64 : i64
// MAP:      error[DYN012]: th differs within a layer
// MAP-NEXT:   at: ntensor.neuron "n1"
// MAP:        help: nopt check - --dt 1ms --like sinabs --target auto

// A layer reads the events of a population once.
// RUN: mutate 's/conv2d "c2" %q/conv2d "c2" %w/' '/"c2"/i %w = nir.sum %q, %q : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x2xf32>' %S/inputs/pools.mlir | not nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o /dev/null 2>&1 | filecheck %s --check-prefix=TWICE
// TWICE:      error[CHI014]: a layer reads the events of one population twice
// TWICE-NEXT:   at: ntensor.conv2d "c2"
// TWICE-NEXT:   expected: one path from each population to a layer
// TWICE-NEXT:   found: 2 paths
// TWICE-NEXT:   help: nopt check {{.*}} --target auto
// TWICE-NEXT:   note: double the weights instead of the events

// Weights of 10 bits are none of the chip. The help works.
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-inputs{kind=spike},ntensor-quantize-layers{bits=10},ntensor-legalize{device=dynapcnn/speck2f keep=weight_bits},ntensor-widen-sums' -o %t.wide.mlir
// RUN: not nopt %t.wide.mlir -p convert-ntensor-to-dynapcnn -o /dev/null 2>&1 | filecheck %s --check-prefix=WIDE
// RUN: nopt %S/inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-inputs{kind=spike},ntensor-quantize-layers{bits=10},ntensor-quantize-layers,ntensor-legalize{device=dynapcnn/speck2f},ntensor-widen-sums,convert-ntensor-to-dynapcnn' -o /dev/null
// WIDE:      error[DYN005]: a weight exceeds its bits
// WIDE-NEXT:   at: dynapcnn.cnn_layer "c1"
// WIDE-NEXT:   expected: -128 to 127: 8 bits (dynapcnn/speck2f, synapse.bits: {{.*}})
// WIDE-NEXT:   found: -254 to 508
// WIDE-NEXT:   help: run ntensor-quantize-layers before ntensor-legalize


// The readout block reads one output of up to 15 neurons at one position, as one of two destinations, and DYNAP-CNN has none.
// RUN: nopt compile %S/inputs/net.mlir --target dynapcnn --dt 1ms --like sinabs --set preferences.readout_threshold=3 -o %t.read && filecheck %s --check-prefix=READ --input-file %t.read/artefact/mapping.json
// RUN: exits 1 nopt compile %S/inputs/net.mlir --target dynapcnn/dynapcnn --dt 1ms --like sinabs --set preferences.readout_threshold=3 -o %t.none 2>&1 | filecheck %s --check-prefix=BLOCK
// RUN: exits 1 nopt compile %S/inputs/pools.mlir --target dynapcnn --dt 1ms --like sinabs --set preferences.readout_threshold=3 -o %t.pools 2>&1 | filecheck %s --check-prefix=POSITIONS
// RUN: python %S/inputs/parallel.py 1 16 16 | exits 1 nopt compile - --target dynapcnn --dt 1ms --like sinabs --set preferences.readout_threshold=3 -o %t.classes 2>&1 | filecheck %s --check-prefix=CLASSES
// RUN: python %S/inputs/parallel.py 2 16 4 | exits 1 nopt compile - --target dynapcnn --dt 1ms --like sinabs --set preferences.readout_threshold=3 -o %t.outputs 2>&1 | filecheck %s --check-prefix=OUTPUTS
// RUN: exits 1 nopt compile %S/inputs/net.mlir --target dynapcnn --dt 1ms --like sinabs --set preferences.readout_threshold=3 --set preferences.readout_window=8 -o %t.window 2>&1 | filecheck %s --check-prefix=WINDOW

// READ:      "layer": 7,
// READ-NEXT:   "name": "fc",
// READ:        "features": 3,
// READ:        "readout": [
// READ-NEXT:    3,
// READ-NEXT:    16,
// READ-NEXT:    1

// BLOCK:      error[DYN013]: no readout block of the device is known
// BLOCK-NEXT:   at: dynapcnn.cnn_layer "fc"
// BLOCK-NEXT:   expected: a device with a readout block
// BLOCK:        note: turn the block off: --set preferences.readout_threshold=0

// POSITIONS:      error[DYN013]: the readout block reads maps of one position
// POSITIONS-NEXT:   at: dynapcnn.cnn_layer "c2"
// POSITIONS-NEXT:   expected: 1 x 1 positions
// POSITIONS-NEXT:   found: 2 x 2 positions

// CLASSES:      error[DYN013]: the readout block has too few classes
// CLASSES-NEXT:   at: dynapcnn.cnn_layer "fc0"
// CLASSES-NEXT:   expected: at most 15 classes (dynapcnn/speck2f, features.readout_classes: {{.*}})
// CLASSES-NEXT:   found: 16 classes

// OUTPUTS:      error[DYN013]: the readout block does not read a layer
// OUTPUTS:        expected: one output
// OUTPUTS-NEXT:   found: out0, out1
// OUTPUTS-NEXT:   help: nopt compile - {{.*}} --set preferences.readout_threshold=0

// WINDOW:      error[DYN013]: the readout block lacks these numbers
// WINDOW-NEXT:   at: dynapcnn.cnn_layer "fc"
// WINDOW-NEXT:   expected: a threshold from 1 to 65535, a window of 1, 16 or 32, and a mode of 1, 2 or 3
// WINDOW-NEXT:   found: [3, 8, 1]
