// RUN: nopt %s -p convert-ntensor-to-functions > %t
// RUN: filecheck %s --input-file=%t
// RUN: nopt %t -p canonicalize | filecheck %s --check-prefix=READ
// RUN: nopt %t -t linalg | filecheck %s --check-prefix=TEXT
// RUN: nopt %s -p 'convert-ntensor-to-functions{samples=4 window=8 record=lif.v}' | filecheck %s --check-prefix=SIZES

// The row of a delay is read first and written last; sums begin with zero; a uniform parameter is a number.
// CHECK:      functions.program @net attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:   func.func private @tick(%{{.*}}: index, %{{.*}}: tensor<1x3xi8>, %{{.*}}: tensor<2x1x2xi8>,
// CHECK:        [[ROW:%.*]] = arith.remui
// CHECK-NEXT:   [[LATE:%.*]] = tensor.extract_slice {{.*}}[[[ROW]], 0, 0] [1, 1, 2]
// CHECK:        linalg.fill
// CHECK:        linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK:          [[X:%.*]] = arith.sitofp
// CHECK-NEXT:     [[TERM:%.*]] = arith.mulf [[X]]
// CHECK-NEXT:     arith.addf %{{.*}}, [[TERM]]
// CHECK:          arith.constant 1.000000e+00 : f32
// CHECK:          linalg.yield %{{.*}}, %{{.*}} : i8, f32
// CHECK-NEXT:   } -> (tensor<1x2xi8>, tensor<1x2xf32>)
// CHECK:        tensor.insert_slice {{.*}}[[[ROW]], 0, 0]
// CHECK:      func.func @run(%{{.*}}: i64, %{{.*}}: i64, %{{.*}}: tensor<64x1x3xi8> {nopt.name = "input", nopt.role = "input", nopt.spikes}
// CHECK:        scf.for
// CHECK:          func.call @tick

// Text with several results of a linalg.generic can be read again.
// READ:       linalg.yield %{{.*}}, %{{.*}} : i8, f32

// Text for other compilers has no attribute of nopt.
// TEXT-NOT:   nopt.
// TEXT:       "linalg.generic"
// TEXT:       sym_name = "run"

// SIZES:      func.func @run({{.*}}tensor<8x4x3xi8>{{.*}} -> (tensor<8x4x2xi8> {nopt.name = "output", nopt.role = "output", nopt.spikes}, tensor<8x4x2xf32> {nopt.name = "lif.v", nopt.role = "probe"}
ntensor.update @if.f32 <spike> inputs ["x"] states ["v"] params ["t"] derive {
^bb0(%dt: f64):
  ntensor.derived %dt : f64
} initial {
^bb0(%t: f32):
  %0 = arith.constant 0.000000e+00 : f32
  ntensor.initial %0 : f32
} step {
^bb0(%x: f32, %v: f32, %t: f32):
  %0 = arith.addf %v, %x : f32
  %z = arith.cmpf ogt, %0, %t : f32
  %1 = arith.constant 0.000000e+00 : f32
  %2 = arith.select %z, %1, %0 : f32
  ntensor.emit %z, %2 : i1, f32
}
ntensor.network @net("input" %x: tensor<3xi1>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] : tensor<2x3xf32>>, bias = #nopt.array<[0.5, 0.25] : tensor<2xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %z = ntensor.neuron "lif" @if.f32 (%y) {params = {t = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  %d = ntensor.delay "late" %z {ticks = #nopt.array<2 : tensor<i64>>} : tensor<2xi1>
  ntensor.output %d : tensor<2xi1>
}
