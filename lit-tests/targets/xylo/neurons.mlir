// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="xylo/audio3" approximate=current,decay,reset}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-legalize{device="xylo/audio3" approximate=current,decay,comparison,bound,count,reset}' | filecheck %s --check-prefix=COUNTS
// RUN: exits 1 nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-legalize{device="xylo/audio3" approximate=current,reset}' 2>&1 | filecheck %s --check-prefix=DECAY

// A family without a leak has the slowest decay of the chip, 2^-15 in each tick, and the shortest current. An input of 1 leaves a current of 1 in all (2^1 - 1), so that the scale
// 2 / 16384 makes th = 16384 + 1: norse fires above the threshold.
// CHECK:  ntensor.neuron "sum" @xylo_spike.above.shortest{{.*}}dash_syn = #nopt.array<1 : tensor<i64>>, dash_mem = #nopt.array<15 : tensor<i64>>, th = #nopt.array<16385 : tensor<i64>>

// A preset of counts becomes the neuron that sends several spikes in a tick.
// COUNTS: ntensor.neuron "sum" @xylo.reached.shortest{{.*}}dash_syn = #nopt.array<1 : tensor<i64>>, dash_mem = #nopt.array<15 : tensor<i64>>

// Without a permission it is refused.
// DECAY:      error[LEG020]
// DECAY:        {{.*}}decay
nir.graph @leakless("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[0.5, 1.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.if "sum" %a {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[2.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
