// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=10000000 like=norse}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=10000000 like=norse}' | filecheck %s --check-prefix=IR
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=400000 like=norse}' 2>&1 | filecheck %s --check-prefix=FITS
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=400000 like=norse}' | filecheck %s --check-prefix=FITSIR
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1 like=norse}' 2>&1 | filecheck %s --check-prefix=LONG
// RUN: not nopt %s -p 'convert-nir-to-ntensor{like=norse}' 2>&1 | filecheck %s --check-prefix=GUESS
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=100000 like=norse}' 2>&1 | filecheck %s --check-prefix=GUESSED

// A time step of 10 ms: as long as one time constant, twice as long as another. Half a second was probably meant as milliseconds.
// CHECK:      warning[ANA034]: the time step is not smaller than a time constant
// CHECK-NEXT:   at: nir.cuba_lif "cuba"
// CHECK-NEXT:   expected: a time step below tau_syn = 0.005 s
// CHECK-NEXT:   found: 10 ms
// CHECK-NEXT:   help: nopt {{.*}}time_constants-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=500000 like=norse}'
// CHECK:      warning[ANA034]: the time step is not smaller than a time constant
// CHECK-NEXT:   at: nir.cuba_lif "cuba"
// CHECK-NEXT:   expected: a time step below tau_mem = 0.01 s
// CHECK-NEXT:   found: 10 ms
// CHECK-NEXT:   help: nopt {{.*}}time_constants-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=500000 like=norse}'
// CHECK:      warning[ANA035]: a time constant looks like milliseconds
// CHECK-NEXT:   at: nir.li "slow"
// CHECK-NEXT:   expected: tau in seconds, usually below 0.5 s
// CHECK-NEXT:   found: tau = 20 s
// CHECK-NEXT:   help: check the unit that the exporter wrote; NIR counts in seconds

// Two delays of 14 and 20 ms are 1.4 and 2 ticks: the first becomes 1 tick, 4 ms off; 2 ms divides both. For 15 and 25 ms (2.5 ms divides both, and is below tau_syn = 5 ms), halves are rounded
// to the even number: 2 ticks each, 5 ms off. The mean is that of all four: (4 + 0 + 5 + 5) / 4 ms.
// CHECK:      warning[ANA036]: a delay is not a whole number of ticks
// CHECK-NEXT:   at: nir.delay "d"
// CHECK-NEXT:   expected: multiples of 10 ms
// CHECK-NEXT:   found: 0.014 s, rounded with an error of 0.004 s
// CHECK-NEXT:   help: nopt {{.*}} -p 'convert-nir-to-ntensor{dt-ns=2000000 like=norse}'
// CHECK-NEXT:   note: the network computes as trained only with the time step of its training
// CHECK:      warning[ANA036]: a delay is not a whole number of ticks
// CHECK-NEXT:   at: nir.delay "half"
// CHECK:        help: nopt {{.*}} -p 'convert-nir-to-ntensor{dt-ns=2500000 like=norse}'
// IR:         #ntensor.approximation<"convert-nir-to-ntensor{dt-ns=10000000 like=norse}", "delays rounded to ticks", ["d", "half"], 0.0050000{{[0-9]*}} : f64, 0.0035000{{[0-9]*}} : f64, "s">
// IR:         ntensor.delay "d" %{{.*}} {ticks = #nopt.array<[1, 2] : tensor<2xi64>>}
// IR:         ntensor.delay "half" %{{.*}} {ticks = #nopt.array<2 : tensor<i64>>}

// With 0.4 ms only the delays of 14, 15 and 25 ms do not fit: 35, 37.5 and 62.5 ticks.
// FITS-NOT:   ANA034
// FITS:       warning[ANA035]
// FITS:       warning[ANA036]
// FITS:         at: nir.delay "half"
// FITS:         help: nopt {{.*}} -p 'convert-nir-to-ntensor{dt-ns=2500000 like=norse}'
// FITS-NOT:   remark
// FITSIR:     ntensor.delay "d" %{{.*}} {ticks = #nopt.array<[35, 50] : tensor<2xi64>>}

// 1e12 s are 1e21 ticks of 1 ns, which exceeds a 64-bit number.
// LONG:       error[ANA037]: a delay is too long to be counted in ticks
// LONG-NEXT:    at: nir.delay "age"
// LONG-NEXT:    expected: at most 2^62 ticks of 1 ns
// LONG-NEXT:    found: 1e+12 s
// LONG-NEXT:    help: check the unit that the exporter wrote; NIR counts in seconds

// The file suggests a time step: r = tau_mem / dt of snnTorch and w_in = tau_syn / dt, twice 0.1 ms, or Rockpool's r = tau_mem / dt - 1.
// GUESS:      error[ANA033]: the time step is not given
// GUESS:        help: nopt {{.*}} -p 'convert-nir-to-ntensor{dt-ns=100000 like=norse}'
// GUESS-NEXT:   note: 100 us would follow from r == tau_mem / dt in "cuba" and 1 more
// GUESS-NEXT:   note: 4 ms would follow from r == tau / dt in "li"
// GUESS-NOT:    note
// GUESSED:    ntensor.network @net
nir.graph @net("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %a = nir.cuba_lif "cuba" %x {tau_syn = #nopt.array<[0.005, 0.005] : tensor<2xf32>>, tau_mem = #nopt.array<0.01 : tensor<f32>>, r = #nopt.array<100.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>, w_in = #nopt.array<50.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.li "slow" %x {tau = #nopt.array<20.0 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %c = nir.li "li" %x {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<5.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %d = nir.delay "d" %a {delay = #nopt.array<[0.014, 0.02] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xi1>
  %e = nir.delay "half" %d {delay = #nopt.array<[0.015, 0.025] : tensor<2xf64>>} : tensor<2xi1> -> tensor<2xi1>
  %f = nir.delay "age" %e {delay = #nopt.array<1000000000000.0 : tensor<f32>>} : tensor<2xi1> -> tensor<2xi1>
  nir.output %f : tensor<2xi1>
}
