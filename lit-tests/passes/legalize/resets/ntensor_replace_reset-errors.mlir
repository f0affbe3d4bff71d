// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-replace-reset' 2>&1 | filecheck %s --check-prefix=SAMPLES
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-calibrate{data="poisson:0.3,ticks=20,samples=1" keep=1},ntensor-replace-reset' 2>&1 | filecheck %s --check-prefix=VALUE
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-replace-reset{nodes=lfi}' 2>&1 | filecheck %s --check-prefix=NODE
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-calibrate{data="poisson:0.3,ticks=20,samples=1" keep=1},ntensor-legalize{device="spinnaker/spinn5" approximate=reset}' | filecheck %s --check-prefix=LEGAL

// The mean of a potential needs samples.
// SAMPLES:      error[LEG125]: no population has a reset to replace
// SAMPLES-NEXT:   at: ntensor.network @one
// SAMPLES-NEXT:   expected: samples that ntensor-calibrate keeps, and populations whose spikes subtract from v
// SAMPLES-NEXT:   found: no samples
// SAMPLES-NEXT:   help: nopt {{.*}}ntensor-calibrate{data=x.npy keep=8}

// A reset to a value stays: the pass has nothing to do, and legalisation does not run it.
// VALUE:        error[LEG125]: no population has a reset to replace
// VALUE:          found: no population whose spikes subtract
// VALUE-NEXT:     help: nopt {{.*}}ntensor-calibrate{data="poisson:0.3,ticks=20,samples=1" keep=1}'{{$}}
// LEGAL-NOT:    ntensor-replace-reset

// NODE:         error[ANA031]: ntensor-replace-reset has no node "lfi" to work on
nir.graph @one("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[8.0, 10.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.lif "lif" %a {tau = #nopt.array<[0.01] : tensor<1xf64>>, r = #nopt.array<[1.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
