// RUN: nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract precision=f32},ntensor-encode-rates{window=30},ntensor-quantize-counts{bits=4}' | filecheck %s
// RUN: nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract precision=f32},ntensor-encode-rates{window=15},ntensor-quantize-counts{bits=4}' | filecheck %s --check-prefix=EXACT
// RUN: python -c 'import numpy; x = numpy.zeros((1, 30, 1, 4, 4), bool); x[:, :4] = True; numpy.save("%t.npy", x)'
// RUN: nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract precision=f32},ntensor-encode-rates{window=30},ntensor-calibrate{data="%t.npy"},ntensor-quantize-counts{bits=2 nodes=if}' | filecheck %s --check-prefix=SEEN
// RUN: nopt %S/../inputs/counts.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract precision=f32},ntensor-encode-rates{window=30},ntensor-quantize-counts{bits=1 nodes=if data="%t.npy"}' | filecheck %s --check-prefix=DATA

// Counts of 30 ticks in 4 bits: one of them stands for 30 / 15 = 2 spikes. m = round(n / 2), so the threshold is 1 + (2 - 1) / 2 and the level 2. The
// weights after the pool take over the 2. An output keeps its counts, and the population holds their unit. The largest error is one spike.
// CHECK-LABEL: ntensor.network @counts({{.*}}) -> ("out": tensor<2x!ntensor.count<4>>)
// CHECK-SAME:    #ntensor.approximation<"ntensor-quantize-counts", "counts of 4 bits, in units of up to 2 spikes", ["if", "if2"], 1.000000e+00 : f64, 0.48387{{[0-9]*}} : f64, "1">
// CHECK:         ntensor.neuron "if" @activation_15.f32(%conv) {machine.count_unit = 2.000000e+00 : f64, {{.*}}canonical = {threshold = #nopt.array<1.5 : tensor<f64>>, level = #nopt.array<2.0 : tensor<f64>>
// CHECK-NEXT:    ntensor.avg_pool2d "pool" %if {{.*}} : tensor<2x4x4x!ntensor.count<4>>
// CHECK:         ntensor.linear "fc" {{.*}}{weight = #nopt.array<{{\[\[}}2.0, 2.0, 2.0,
// CHECK-NEXT:    ntensor.neuron "if2" @activation_15.f32(%fc)

// 15 ticks have counts of 4 bits: nothing changes, and nothing is recorded.
// EXACT-LABEL: ntensor.network @counts
// EXACT-NOT:     ntensor-quantize-counts
// EXACT-NOT:     machine.count_unit
// EXACT:         ntensor.neuron "if" @activation_15.f32(%conv) {{.*}}canonical = {threshold = #nopt.array<1.0 : tensor<f64>>, level = #nopt.array<1.0 : tensor<f64>>
// EXACT:         ntensor.linear "fc" {{.*}}{weight = #nopt.array<{{\[\[}}1.0, 1.0, 1.0,

// The calibration has 4 spikes in each input, of weights 1 and 2: inputs of at most 8, and counts of at most 7. One of 2 bits stands for 7 / 3.
// SEEN-LABEL: ntensor.network @counts
// SEEN-SAME:    "counts of 2 bits, in units of up to 2.333 spikes", ["if"]

// In the data, the counts are 3 and 7, equally often. With one bit, the unit 4.5 has errors of 1.5 and 2.5, and a unit of 5 of 2 and 2, which is the least.
// DATA-LABEL: ntensor.network @counts
// DATA-SAME:    "counts of 1 bit, in units of up to 5 spikes", ["if"], 2.000000e+00 : f64, 2.000000e+00 : f64
