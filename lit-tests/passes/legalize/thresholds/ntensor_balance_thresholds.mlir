// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-calibrate{data="constant:1,ticks=64,samples=2" keep=2},ntensor-balance-thresholds{percentile=100}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-calibrate{data="constant:1,ticks=64,samples=2" keep=2},ntensor-balance-thresholds{per=channel percentile=100}' | filecheck %s --check-prefix=CHANNEL
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-calibrate{data="constant:1,ticks=64,samples=2" keep=2},ntensor-balance-thresholds{percentile=100 nodes=if1}' | filecheck %s --check-prefix=ONE
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-calibrate{data="constant:1,ticks=64,samples=2" keep=2},ntensor-balance-thresholds{by=error}' | filecheck %s --check-prefix=ERROR
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-calibrate{data="constant:1,ticks=64,samples=2" keep=2},ntensor-balance-thresholds{percentile=100 shift=half}' | filecheck %s --check-prefix=SHIFT
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-calibrate{data="constant:0.01,ticks=64,samples=2" keep=2},ntensor-balance-thresholds{percentile=100}' | filecheck %s --check-prefix=LOW

// Input 1: the activations of the trained network are 3 and 6, then 0.5 3 + 1 6 - 1 = 6.5. Without the pass each neuron spikes in 63 of 64 ticks or in all, which stand for 1:
// the relative error of the last population is (6.5 - 63 / 64) / 6.5 = 0.849.
// One factor of the first layer is 6: its neurons spike in 31 and 63 of 64 ticks, the first one a tick late each, because Norse needs a potential above the threshold. These rates stand for
// 2.906 and 5.906, with an error of 0.0938 sqrt(2) / sqrt(45) = 0.0198. The weights of the readers become 0.5 6 and 1 6; the bias stays.
// The last population has the factor 6.5, which is the unit of its spikes. It loses one more tick: 62 of 64, an error of 2 / 64 = 0.0312.
// CHECK:       #ntensor.approximation<"ntensor-balance-thresholds{percentile=100}", "thresholds, and weights of their readers, multiplied: if1 by 6 (error 0.803 -> 0.0198), if2 by 6.5 (error 0.849 -> 0.0312); before the outputs: error 0.925 -> 0.0312, decisions of the activations 1 -> 1 of 1", ["if1", "if2"], 2.031250e-01 : f64, 0.1302{{[0-9]*}} : f64, "activation">
// CHECK:       ntensor.neuron "if1" {{.*}}kept_events = #nopt.array<{{\[\[}}31, 63], [31, 63]]{{.*}}threshold = #nopt.array<6.0 : tensor<f64>>{{.*}}v_threshold = #nopt.array<6.0 : tensor<f64>>
// CHECK:       ntensor.linear "fc2" {{.*}}weight = #nopt.array<{{\[\[}}3.0, 6.0]] {{.*}}bias = #nopt.array<[-1.0]
// CHECK:       ntensor.neuron "if2" {{.*}}machine.count_unit = 6.500000e+00{{.*}}kept_events = #nopt.array<{{\[\[}}62], [62]]{{.*}}v_threshold = #nopt.array<6.5 : tensor<f64>>

// One factor for each channel: both neurons spike in 63 of 64 ticks, with an error of 1 / 64.
// CHANNEL:     if1 by 3 to 6 (error 0.803 -> 0.0156), if2 by 6.5
// CHANNEL:     ntensor.neuron "if1" {{.*}}v_threshold = #nopt.array<[3.0, 6.0]
// CHANNEL:     ntensor.linear "fc2" {{.*}}weight = #nopt.array<{{\[\[}}1.5, 6.0]]

// A population that is not named keeps its threshold. It reads the activations that the trained network has.
// ONE:         multiplied: if1 by 6 (error 0.803 -> 0.0198); before the outputs: error 0.925 -> 0.849
// ONE:         ntensor.linear "fc2" {{.*}}weight = #nopt.array<{{\[\[}}3.0, 6.0]]
// ONE:         ntensor.neuron "if2" {{.*}}v_threshold = #nopt.array<1.0 : tensor<f64>>
// ONE-NOT:     machine.count_unit

// The least squared error of the rates: candidates below the largest activation saturate.
// ERROR:       "ntensor-balance-thresholds{by=error}", "thresholds, and weights of their readers, multiplied: if1 by 6 {{.*}}if2 by 6.5

// Half of a threshold of 6 is 3. With it, no neuron is late: 32 and 64 of 64 ticks, and no error.
// SHIFT:       if1 by 6 (error 0.803 -> 0), if2 by 6.5 (error 0.846 -> 0); before the outputs: error 0.925 -> 0
// SHIFT:       ntensor.neuron "if1" {{.*}}kept_events = #nopt.array<{{\[\[}}32, 64], [32, 64]]{{.*}}initial = {v = #nopt.array<3.0 : tensor<f64>>}

// Activations of 0.03, 0.06 and 0: a lower threshold has more spikes for them. The second population has no activation, and keeps its threshold.
// LOW:         multiplied: if1 by 0.06 (error 0.29 -> 0.0198); before the outputs: error 0 -> 0
nir.graph @one("in" %in: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc1" %in {weight = #nopt.array<[[3.0], [6.0]] : tensor<2x1xf32>>} : tensor<1xf32> -> tensor<2xf32>
  %y = nir.if "if1" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.affine "fc2" %y {weight = #nopt.array<[[0.5, 1.0]] : tensor<1x2xf32>>, bias = #nopt.array<[-1.0] : tensor<1xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.if "if2" %b {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
