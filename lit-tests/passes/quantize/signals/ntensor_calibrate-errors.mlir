// RUN: python %S/../inputs/arrays.py %t.dir
// RUN: exits 1 nopt %s -p 'ntensor-calibrate{data="%t.dir/empty.npy"}' 2>&1 | filecheck %s --check-prefix=EMPTY
// RUN: exits 1 nopt %s -p 'ntensor-calibrate{data="%t.dir/three.npy" samples=0}' 2>&1 | filecheck %s --check-prefix=NOTHING
// RUN: exits 1 nopt %s -p 'ntensor-calibrate{data="%t.dir/wide.npy"}' 2>&1 | filecheck %s --check-prefix=SHAPE
// RUN: exits 1 nopt %s -p 'ntensor-calibrate{data="%t.dir/none.npy"}' 2>&1 | filecheck %s --check-prefix=FILE
// RUN: exits 2 nopt %s -p ntensor-calibrate 2>&1 | filecheck %s --check-prefix=REQUIRED
// RUN: nopt %s -p 'ntensor-calibrate{data="%t.dir/zeros.npy"}' -o /dev/null 2>&1 | filecheck %s --check-prefix=SILENT
// RUN: nopt %s -p 'ntensor-calibrate{data="%t.dir/huge.npy"}' -o %t.huge.mlir 2>&1 | cat - %t.huge.mlir | filecheck %s --check-prefix=HUGE
// RUN: exits 1 nopt %S/../../../tools/inputs/lif.mlir -p 'ntensor-calibrate{data="%t.dir/three.npy"}' 2>&1 | filecheck %s --check-prefix=NIR
// RUN: exits 1 nopt %S/../../../tools/inputs/nothing.mlir -p 'ntensor-calibrate{data="%t.dir/three.npy"}' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: exits 1 nopt %s -p 'ntensor-calibrate{data="%t.dir/three.npy" ticks=100000000000000000000}' 2>&1 | filecheck %s --check-prefix=LONG
// RUN: exits 2 nopt %s -p 'ntensor-calibrate{data="%t.dir/three.npy" keep=-1}' 2>&1 | filecheck %s --check-prefix=KEEP

// Data without a tick, and options that leave no sample.
// EMPTY:        error[QUA002]: the calibration data are empty
// EMPTY-NEXT:     at: ntensor-calibrate{data="{{.*}}empty.npy"}
// EMPTY-NEXT:     expected: at least one tick of one sample
// EMPTY-NEXT:     found: 1 samples of 0 ticks
// EMPTY-NEXT:     help: numpy.load('{{.*}}empty.npy').shape
// NOTHING:      error[QUA002]: the calibration data are empty
// NOTHING:        found: 0 samples of 3 ticks
// NOTHING-NEXT:   help: nopt {{.*}}ntensor_calibrate-errors.mlir -p 'ntensor-calibrate{data="{{.*}}three.npy"}'
// KEEP:         error[QUA061]: a number of samples to keep is negative
// KEEP-NEXT:      at: ntensor-calibrate{data="{{.*}}three.npy" keep=-1}
// KEEP-NEXT:      expected: 0 or more
// KEEP-NEXT:      found: -1
// KEEP-NEXT:      help: nopt {{.*}}ntensor_calibrate-errors.mlir -p 'ntensor-calibrate{data="{{.*}}three.npy"}'

// Data of another shape, a missing file, no data at all.
// SHAPE:        error[SIM008]: the shape of the array does not fit the input
// SHAPE-NEXT:     at: "in" ({{.*}}wide.npy)
// SHAPE-NEXT:     expected: [ticks, 1] or [samples, ticks, 1]
// SHAPE-NEXT:     found: shape [3, 4]
// SHAPE-NEXT:     help: give the last axes the sizes of the input: 1
// FILE:         error[COR008]: the file cannot be read
// REQUIRED:     error[COR013]: invalid options for ntensor-calibrate

// Data without spikes are not representative; a sum that overflows has no range, and all others are observed.
// SILENT:       warning[QUA004]: the calibration data are silent
// SILENT-NEXT:    at: input "in"
// HUGE:         warning[QUA003]: y is not finite in the calibration
// HUGE-NEXT:      at: ntensor.linear "fc"
// HUGE-NEXT:      expected: numbers
// HUGE-NEXT:      found: infinity or NaN
// HUGE:         warning[QUA003]: v is not finite in the calibration
// HUGE-NEXT:      at: ntensor.neuron "lif"
// HUGE:         ntensor.observed = {rate = 1.000000e+00 : f64}, params

// One sample of that length does not fit into memory.
// LONG:         error[QUA006]: the ticks of a calibration do not fit into memory
// LONG-NEXT:       at: ntensor-calibrate{data="{{.*}}three.npy" ticks=100000000000000000000}
// LONG-NEXT:       expected: at most {{[0-9]+}} GiB, which is available now
// LONG-NEXT:       found: 745058059692 GiB for one sample of 100000000000000000000 ticks
// LONG-NEXT:       help: nopt {{.*}}ntensor_calibrate-errors.mlir -p 'ntensor-calibrate{data="{{.*}}three.npy" ticks=3}'

// A network in continuous time has no ticks yet; a module without a network has nothing to observe.
// NIR:          error[QUA001]: no network to calibrate
// NIR-NEXT:       at: ntensor-calibrate{data="{{.*}}three.npy"}
// NIR-NEXT:       expected: one ntensor.network
// NIR-NEXT:       found: nir.graph
// NIR-NEXT:       help: nopt {{.*}}lif.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-calibrate{data="{{.*}}three.npy"}'
// NONE:         error[QUA001]

ntensor.update @sum <spike> inputs ["x"] states ["v"] params ["v_threshold"] raw ["v_threshold"] derive {
^bb0(%dt: f64, %threshold: f64):
  ntensor.derived %threshold : f64
} initial {
^bb0(%threshold: f64):
  %zero = arith.constant 0.0 : f64
  ntensor.initial %zero : f64
} step {
^bb0(%x: f64, %v: f64, %threshold: f64):
  %0 = arith.addf %v, %x : f64
  %v1 = ntensor.let "v" %0 : f64
  %z = arith.cmpf ogt, %v1, %threshold : f64
  %zero = arith.constant 0.0 : f64
  %1 = arith.select %z, %zero, %v1 : f64
  %v2 = ntensor.let "v" %1 : f64
  ntensor.emit %z, %v2 : i1, f64
}
ntensor.network @net("in" %in: tensor<1xf64>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000000, ntensor.observed = {samples = 9 : i64}} {
  %y = ntensor.linear "fc" %in {weight = #nopt.array<[[2.0]] : tensor<1x1xf32>>} : tensor<1xf64> -> tensor<1xf64>
  %z = ntensor.neuron "lif" @sum(%y) {params = {v_threshold = #nopt.array<2.25 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}, ntensor.observed = {u = 1 : i64}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
