// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// An unknown rule.
// CHECK: error[COR024]: unknown array rule gauss; the rules are constant, uniform, normal
"test.op"() {a = #nopt.array<gauss(mean = 0.0, std = 1.0, seed = 1) : tensor<100xf32>>} : () -> ()

// -----

// A rule without parameters is neither numbers nor a key.
// CHECK: error[COR024]: expected numbers, bytes, a rule, or a key: h and 32 hexadecimal digits
"test.op"() {a = #nopt.array<normal : tensor<100xf32>>} : () -> ()

// -----

// An unknown parameter.
// CHECK: error[COR024]: uniform has no parameter mean; its parameters are low, high, seed, density
"test.op"() {a = #nopt.array<uniform(mean = 0.0, high = 1.0, seed = 1) : tensor<100xf32>>} : () -> ()

// -----

// A random array must have a seed.
// CHECK: error[COR024]: normal needs seed
"test.op"() {a = #nopt.array<normal(mean = 0.0, std = 1.0) : tensor<100xf32>>} : () -> ()

// -----

// CHECK: error[COR024]: duplicate parameter
"test.op"() {a = #nopt.array<constant(value = 0.0, value = 1.0) : tensor<100xf32>>} : () -> ()

// -----

// CHECK: error[COR024]: seed must be an integer from 0 to 2^64 - 1
"test.op"() {a = #nopt.array<normal(mean = 0.0, std = 1.0, seed = -1) : tensor<100xf32>>} : () -> ()

// -----

// CHECK: error[COR024]: seed must be an integer from 0 to 2^64 - 1
"test.op"() {a = #nopt.array<normal(mean = 0.0, std = 1.0, seed = 1.5) : tensor<100xf32>>} : () -> ()

// -----

// CHECK: error[COR024]: density must be between 0 and 1
"test.op"() {a = #nopt.array<uniform(low = 0.0, high = 1.0, seed = 1, density = 1.5) : tensor<100xf32>>} : () -> ()

// -----

// CHECK: error[COR024]: low must not be larger than high
"test.op"() {a = #nopt.array<uniform(low = 1.0, high = 0.0, seed = 1) : tensor<100xf32>>} : () -> ()

// -----

// CHECK: error[COR024]: std must not be negative
"test.op"() {a = #nopt.array<normal(mean = 1.0, std = -0.5, seed = 1) : tensor<100xf32>>} : () -> ()

// -----

// Numbers beyond f64.
// CHECK: error[COR024]: value must be finite
"test.op"() {a = #nopt.array<constant(value = 1.0e+999) : tensor<100xf32>>} : () -> ()

// -----

// CHECK: error[COR024]: high must be finite
"test.op"() {a = #nopt.array<uniform(low = 0, high = 179769313486231590772930519078902473361797697894230657273430081157732675805500963132708477322407536021120113879871393357658789768814416622492847430639474124377767893424865485276302219601246094119453082952085005768838150682342462881473913110540827237163350510684586298239947245938479716304835356329624224137215, seed = 1) : tensor<100xf64>>} : () -> ()

// -----

// CHECK: error[COR024]: the numbers of uniform must be finite in f64
"test.op"() {a = #nopt.array<uniform(low = -1.0e+308, high = 1.0e+308, seed = 1) : tensor<100xf64>>} : () -> ()

// -----

// Numbers beyond the type: 8.3 standard deviations of 1e38 exceed f32.
// CHECK: error[COR024]: normal does not yield finite numbers of this type
"test.op"() {a = #nopt.array<normal(mean = 0.0, std = 1.0e+38, seed = 1) : tensor<100xf32>>} : () -> ()

// -----

// Random numbers must be real.
// CHECK: error[COR024]: uniform does not yield finite numbers of this type
"test.op"() {a = #nopt.array<uniform(low = 0, high = 9, seed = 1) : tensor<100xi8>>} : () -> ()

// -----

// A rule must satisfy the constraints of its op; the message contains the first number that does not.
// CHECK: error[NIR002]: delays must not be negative
// CHECK: found: -{{[0-9.e-]+}} s
nir.graph @late("in" %x: tensor<1000xf32>) -> ("out": tensor<1000xf32>) {
  %a = nir.linear "fc" %x {
    weight = #nopt.array<constant(value = 0.5) : tensor<1000x1000xf32>>,
    delays = #nopt.array<normal(mean = 1.0e-3, std = 1.0e-3, seed = 1) : tensor<1000x1000xf32>>
  } : tensor<1000xf32> -> tensor<1000xf32>
  nir.output %a : tensor<1000xf32>
}

// -----

// CHECK: error[COR024]: low must be smaller than high
"test.op"() {a = #nopt.array<integers(low = 4, high = 4, seed = 1) : tensor<100xi8>>} : () -> ()

// -----

// CHECK: error[COR024]: low and high must be integers within 2^53
"test.op"() {a = #nopt.array<integers(low = 0.5, high = 4, seed = 1) : tensor<100xi8>>} : () -> ()

// -----

// 128 is not a signed integer of eight bits, and integers are not reals.
// CHECK: error[COR024]: integers does not yield finite numbers of this type
"test.op"() {a = #nopt.array<integers(low = 0, high = 129, seed = 1) : tensor<100xi8>>} : () -> ()

// -----

// CHECK: error[COR024]: integers does not yield finite numbers of this type
"test.op"() {a = #nopt.array<integers(low = 0, high = 9, seed = 1) : tensor<100xf32>>} : () -> ()
