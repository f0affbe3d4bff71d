// RUN: exits 1 nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-rates' 2>&1 | filecheck %s --check-prefix=SAMPLES
// RUN: exits 1 nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-calibrate{data="poisson:0.3,ticks=40" keep=1},ntensor-fit-rates' 2>&1 | filecheck %s --check-prefix=POPULATIONS
// RUN: exits 2 nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-rates{tolerance=2.0}' 2>&1 | filecheck %s --check-prefix=TOLERANCE
// RUN: exits 2 nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-rates{nodes=life}' 2>&1 | filecheck %s --check-prefix=NODES

// SAMPLES:          error[LEG110]: no population has rates to keep [no-rates-to-fit]
// SAMPLES-NEXT:       at: ntensor.network @one
// SAMPLES-NEXT:       expected: samples that ntensor-calibrate keeps, and populations whose update is replaced after it
// SAMPLES-NEXT:       found: no samples
// SAMPLES-NEXT:       help: {{.*}}ntensor-calibrate{data=x.npy keep=8}
// POPULATIONS:      error[LEG110]
// POPULATIONS:        found: no population with another update
// POPULATIONS-NEXT:   help: nopt {{.*}}ntensor-calibrate{data="poisson:0.3,ticks=40" keep=1}'{{$}}
// TOLERANCE:        error[LEG111]: the tolerance of rates is out of range [rate-tolerance-out-of-range]
// TOLERANCE-NEXT:     at: tolerance=2.0
// TOLERANCE-NEXT:     expected: from 0 to below 1
// TOLERANCE-NEXT:     found: 2.0
// TOLERANCE-NEXT:     help: nopt {{.*}}ntensor-fit-rates'
// NODES:            error[ANA031]: ntensor-fit-rates has no node "life" to work on
// NODES:              expected: one of lif
nir.graph @one("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[8.0, 10.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.lif "lif" %a {tau = #nopt.array<[0.02] : tensor<1xf64>>, r = #nopt.array<[1.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
