// The window, its counter and its mean become a delay of the spikes.
// RUN: nopt %S/../inputs/rates.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value rate-window=8},ntensor-send-spikes' | filecheck %s
// CHECK-NOT:  @rate_window
// CHECK:      #ntensor.approximation<"ntensor-send-spikes", "rates of windows of 8 ticks are sent as spikes", ["fc2"], 8.000000e+00 : f64, 8.000000e+00 : f64, "ticks">
// CHECK:      %[[LATE:.*]] = ntensor.delay "one.rate.delay" %one {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xi1>
// CHECK-NEXT: ntensor.linear "fc2" %[[LATE]] {{.*}} : tensor<2xi1> -> tensor<2xf64>

// A network without rates stays as it is.
// RUN: nopt %S/../inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=euler reset=value}' > %t.mlir
// RUN: nopt %t.mlir -p ntensor-send-spikes > %t.same && diff %t.mlir %t.same

// No neuron of the chip counts: rates are refused, and compiled after the pass.
// RUN: exits 1 nopt compile %S/../inputs/rates.mlir --target neurogrid --dt 1ms --like euler --reset value --rate-window 8 -o %t.d 2>&1 | filecheck %s --check-prefix=RATES
// RUN: rm -rf %t.d && nopt compile %S/../inputs/rates.mlir --target neurogrid --dt 1ms --like euler --reset value --rate-window 8 --passes ntensor-send-spikes,ntensor-approximate-somas -o %t.d -v | filecheck %s --check-prefix=SENT
// RATES:      error[LEG004]: neurogrid/board does not count rates
// RATES-NEXT:   at: ntensor.linear "fc2"
// SENT:       size: 2 populations, 4 neurons
// SENT:       ntensor-send-spikes: rates of windows of 8 ticks are sent as spikes
