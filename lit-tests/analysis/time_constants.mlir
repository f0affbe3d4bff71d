// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=500000 like=norse}' 2>&1 | filecheck %s --check-prefix=SHORT

// Delays in seconds become ticks: 2 and 3 ms are 2 and 3 of 1 ms, or 4 and 6 of 0.5 ms; equal ones are one number. 2e-3 and 3e-3 are
// rounded to f32 in the file, by a part in 2^24, which causes no remark.
// CHECK-NOT:  remark
// CHECK:      ntensor.delay "each" %in {ticks = #nopt.array<[2, 3] : tensor<2xi64>>} : tensor<2xi1>
// CHECK-NEXT: ntensor.delay "equal" %{{.*}} {ticks = #nopt.array<2 : tensor<i64>>} : tensor<2xi1>
// CHECK-NEXT: ntensor.delay "none" %{{.*}} {ticks = #nopt.array<0 : tensor<i64>>} : tensor<2xi1>
// SHORT-NOT:  remark
// SHORT:      ntensor.delay "each" %in {ticks = #nopt.array<[4, 6] : tensor<2xi64>>} : tensor<2xi1>
nir.graph @delays("in" %x: tensor<2xi1>) -> ("out": tensor<2xi1>) {
  %a = nir.delay "each" %x {delay = #nopt.array<[0.002, 0.003] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xi1>
  %b = nir.delay "equal" %a {delay = #nopt.array<[0.002, 0.002] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xi1>
  %c = nir.delay "none" %b {delay = #nopt.array<0.0 : tensor<f32>>} : tensor<2xi1> -> tensor<2xi1>
  nir.output %c : tensor<2xi1>
}
