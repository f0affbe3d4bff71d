// A calibration shows a synaptic current of 300 thresholds: an input of 300.3 in each tick and a current that halves, i = (i + 300.3) / 2, after 20 ticks 300.2997. The least threshold is
// 32767 / 300.2997 = 109 instead of 512, so that the current fits into 16 bits. The largest weight is 127 << 8.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=rockpool},ntensor-calibrate{data="constant:1,ticks=20"},ntensor-quantize-shifts' | filecheck %s --check-prefix=PEAK
// PEAK: "weights of 8 bits, for thresholds of 109 or more where counts are emitted"
// PEAK: weight = #nopt.array<{{\[\[}}32512, 21760, 10752]] : tensor<1x3xi16>>

// Without a calibration, or with currents of less than 64 thresholds, it is 512.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=rockpool},ntensor-quantize-shifts' | filecheck %s --check-prefix=WIDE
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=rockpool},ntensor-calibrate{data="constant:0.1,ticks=20"},ntensor-quantize-shifts' | filecheck %s --check-prefix=WIDE
// WIDE: "weights of 8 bits, for thresholds of 512 or more where counts are emitted"
nir.graph @strong("in" %in: tensor<3xf32>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[150.0, 100.3, 50.0]] : tensor<1x3xf32>>} : tensor<3xf32> -> tensor<1xf32>
  %z = nir.cuba_lif "lif" %a {tau_mem = #nopt.array<[0.01] : tensor<1xf64>>, tau_syn = #nopt.array<[0.0014426950408889634] : tensor<1xf64>>, w_in = #nopt.array<[1.0] : tensor<1xf32>>, r = #nopt.array<[1.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
