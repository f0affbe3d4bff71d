// A shorter time step was proposed that does not divide the delay of the file. A tenth of 8 ms is 0.8 ms; the longest step up to it that
// divides 3 ms is 0.75 ms.
// RUN: nopt check %s --dt 10ms --like norse | filecheck %s --check-prefix=SHORTER
// RUN: nopt check %s --dt 750us --like norse | filecheck %s --check-prefix=FITS
// SHORTER: warning[ANA034]: the time step is not smaller than a time constant
// SHORTER:   help: nopt check {{.*}}time-step-delays.mlir --dt 750us --like norse
// FITS: time-step-delays.mlir: no problems found

// No parameter suggests a time step. Of the usual ones, 10 ms is too long, and the delay is a multiple of the others.
// RUN: nopt check %s | filecheck %s --check-prefix=OPEN
// RUN: not nopt run %s --input zeros --like norse 2>&1 | filecheck %s --check-prefix=OPTION
// OPEN: warning[ANA033]: the network contains no time step
// OPEN:   help: nopt check {{.*}}time-step-delays.mlir --dt TIME --like NAME, where TIME is one of 10us, 100us or 1ms and NAME is one of euler, lava
// OPTION: error[ANA033]: the time step is not given
// OPTION:   help: nopt run {{.*}}time-step-delays.mlir --input zeros --like norse --dt TIME, where TIME is one of 10us, 100us or 1ms
nir.graph @wait("input" %x: tensor<1xf32>) -> ("output": tensor<1xi1>) {
  %y = nir.delay "wait" %x {delay = #nopt.array<0.003 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = nir.lif "lif" %y {
    tau = #nopt.array<0.008 : tensor<f32>>,
    r = #nopt.array<1.0 : tensor<f32>>,
    v_leak = #nopt.array<0.0 : tensor<f32>>,
    v_threshold = #nopt.array<1.0 : tensor<f32>>,
    v_reset = #nopt.array<0.0 : tensor<f32>>
  } : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
