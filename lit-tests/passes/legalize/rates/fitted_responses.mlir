// RUN: python -c 'import numpy; numpy.save("%t.npy", numpy.tri(5, 4, -1)[:, :, None])'
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=4 bits=2 fit=data input-bits=3 weight-bits=4 data="%t.npy"}' | filecheck %s --check-prefixes=CHECK,FILE
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-calibrate{data="%t.npy" keep=5},ntensor-encode-rates{window=4 bits=2 fit=data input-bits=3 weight-bits=4}' | filecheck %s

// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-encode-rates{window=2 bits=2 fit=data data="%t.npy"}' | filecheck %s --check-prefix=FRAMES

// Two frames of two ticks. The inputs 0, 7, 14, 14, 14 have 0, 0, 1, 1, 1 spikes in the first frame, and 0, 0, 0, 7, 14 have 0, 0, 0, 1, 2 in the second, as the
// potential stays. The fit has 0, 5/12, 15/12 spikes for 0, 7, 14: differences of 5/12 + 3 * 3/12 = 14/12 and 7/12 + 9/12 = 16/12, of 3 spikes in each frame.
// FRAMES: "spikes of 2 ticks become counts of a frame; responses fitted to the data: if; errors of all counts of the data: 0.389 of the spikes in the first frame of a sample, 0.444 in the others"

// Five samples of four ticks have 0 to 4 spikes. The neuron spikes above 7, the weight: the first spike of the input is missing, so that the counts of the inputs
// 0, 7, 14, 21, 28 are 0, 0, 1, 2, 3. Their line starts at 7 and rises by 1 / 7; the unit of the greatest count of 2 bits, 3, is 3 / 3. The count of 1
// starts half of a unit after the line: threshold = 7 + 7 / 2 = 10.5, level = 7, which repeats all five counts.
// CHECK-LABEL: ntensor.network @fit("in" %in: tensor<1x!ntensor.count<3>>) -> ("out": tensor<1x!ntensor.count<2>>)
// FILE-SAME:     "spikes of 4 ticks become counts of a frame; responses fitted to the data: if; errors of all counts of the data", ["if"], 0.000000e+00 : f64, 0.000000e+00 : f64
// CHECK-NEXT:    ntensor.linear "fc" %in {weight = #nopt.array<[[7]] : tensor<1x1xi8>>, quantized = #ntensor.quantized<4,
// CHECK-NEXT:    ntensor.neuron "if" @activation_3(%fc) {family = "activation", canonical = {threshold = #nopt.array<10.5 : tensor<f64>>, level = #nopt.array<7.0 : tensor<f64>>
nir.graph @fit("in" %in: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[7.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = nir.if "if" %a {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[7.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
