// RUN: not nopt %s -p 'ntensor-quantize-weights{bits=3 method=gptq}' 2>&1 | filecheck %s --check-prefix=SAMPLES
// RUN: not nopt %s -p 'ntensor-calibrate{data="poisson:0.3,ticks=40,samples=8"},ntensor-quantize-weights{bits=3 method=adaround}' 2>&1 | filecheck %s --check-prefix=KEPT
// RUN: not nopt %s -p 'ntensor-quantize-weights{bits=3 method=gptq grid=asymmetric}' 2>&1 | filecheck %s --check-prefix=GRID
// RUN: not nopt %s -p 'ntensor-quantize-weights{bits=3 method=best}' 2>&1 | filecheck %s --check-prefix=METHOD

// SAMPLES:      error[QUA051]: rounding by data needs samples [rounding-needs-samples]
// SAMPLES-NEXT:   at: ntensor.network @net
// SAMPLES-NEXT:   expected: samples that ntensor-calibrate keeps, for method=gptq
// SAMPLES-NEXT:   found: no samples
// SAMPLES-NEXT:   help: {{.*}}ntensor-calibrate{data=x.npy keep=128},ntensor-quantize-weights{bits=3 method=gptq}'

// KEPT:      error[QUA051]
// KEPT:        expected: samples that ntensor-calibrate keeps, for method=adaround

// GRID:      error[QUA044]: an option needs a symmetric grid
// GRID-NEXT:   at: method=gptq
// GRID-NEXT:   expected: a grid that covers all weights
// GRID-NEXT:   found: grid=asymmetric
// GRID-NEXT:   help: {{.*}}ntensor-quantize-weights{bits=3 grid=asymmetric}'

// METHOD{LITERAL}: error[COR013]
// METHOD{LITERAL}: method (nearest|gptq|adaround)
ntensor.network @net("x" %x: tensor<2xi1>) -> ("y": tensor<1xf32>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.4, 3.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}
