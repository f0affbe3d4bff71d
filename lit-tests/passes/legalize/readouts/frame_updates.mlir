// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=subtract},ntensor-move-readout-to-host,ntensor-encode-rates{window=2}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=subtract},ntensor-move-readout-to-host,ntensor-encode-rates{window=2}' | nopt - -t neuron | filecheck %s --check-prefix=RULE

// Each tick of a frame of 2 ticks gets half of its input, and the output of a frame is the sum of those of its ticks.
// RULE-LABEL: neuron euler_i_frame2
// RULE:       emit value v + g * (x / 2) + (v + g * (x / 2) + g * (x / 2))
// RULE-NEXT:  v = v + g * (x / 2) + g * (x / 2)

// A bias arrives in both ticks.
// CHECK-LABEL: ntensor.network @frames
// CHECK-SAME:    "readout of counts: the spikes of a frame of 2 ticks are spread evenly", ["i"], none, none, "none">
// CHECK:         ntensor.linear "fc2" %{{\S+}} {machine.host, weight = {{.*}}, bias = #nopt.array<[0.5] : tensor<1xf64>>}
// CHECK-NEXT:    ntensor.neuron "i" @euler_i.frame2(
nir.graph @frames("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = nir.if "if" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %b = nir.affine "fc2" %z {weight = #nopt.array<[[0.3]] : tensor<1x1xf32>>, bias = #nopt.array<[0.25] : tensor<1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %v = nir.i "i" %b {r = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %v : tensor<1xf32>
}
