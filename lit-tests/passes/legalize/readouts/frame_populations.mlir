// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=subtract},ntensor-move-readout-to-host,ntensor-encode-rates{window=2 approximate=leak}' | filecheck %s
// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=subtract},ntensor-encode-rates{window=2 approximate=leak}' | filecheck %s --check-prefix=CHIP

// An integrator adds 1e-3 x of each tick. A frame of x spikes is x / 2 in each of its 2 ticks: the state grows by 1e-3 x, and the sum of the outputs is
// v + 0.5e-3 x + v + 1e-3 x = 2 v + 1.5e-3 x. The bias of 0.25 arrives in both ticks.
// CHECK-LABEL: ntensor.network @frames
// CHECK-SAME:    "spikes of 2 ticks become counts of a frame; inputs spread evenly over the ticks of a frame: i", ["if", "i"], none, none, "1">
// CHECK:         ntensor.linear "fc2" %{{\S+}} {machine.host, weight = {{.*}}, bias = #nopt.array<[0.5] : tensor<1xf64>>}
// CHECK-NEXT:    ntensor.neuron "i" @euler_i.frame_2(%{{\S+}}) {machine.host,
// CHECK-SAME:    y_0 = #nopt.array<0.0 : tensor<f64>>, y_x = #nopt.array<0.0015 : tensor<f64>>, y_v = #nopt.array<2.0 : tensor<f64>>,
// CHECK-SAME:    v_0 = #nopt.array<0.0 : tensor<f64>>, v_x = #nopt.array<0.001 : tensor<f64>>, v_v = #nopt.array<1.0 : tensor<f64>>

// A readout that is not on the host keeps no state: its output is its input, with the factor of all its neurons dropped.
// CHIP-LABEL: ntensor.network @frames
// CHIP-SAME:    "spikes of 2 ticks become counts of a frame; outputs of the input, not of the state: i"
// CHIP:         ntensor.linear "fc2"
// CHIP-NEXT:    ntensor.output
nir.graph @frames("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = nir.if "if" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %b = nir.affine "fc2" %z {weight = #nopt.array<[[0.3]] : tensor<1x1xf32>>, bias = #nopt.array<[0.25] : tensor<1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %v = nir.i "i" %b {r = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %v : tensor<1xf32>
}
