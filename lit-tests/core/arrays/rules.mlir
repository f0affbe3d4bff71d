// RUN: nopt %s | filecheck %s
// RUN: nopt %s | nopt - | filecheck %s
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f32}' | filecheck %s --check-prefix=TICKS

// Two hundred million synapses in a few lines: reading, verifying, converting and printing do not expand them.
// Parameters are in a fixed order, numbers are the shortest decimals, and a density of 1 is omitted.
// CHECK-LABEL: nir.graph @large
// CHECK:       nir.linear "fc" %{{.*}} {weight = #nopt.array<normal(mean = 0.0, std = 0.01, seed = 1) : tensor<10000x10000xf32>>}
// CHECK:       nir.affine "rec" %{{.*}} {weight = #nopt.array<uniform(low = -1.0, high = 1.0e-05, seed = 18446744073709551615, density = 0.1) : tensor<10000x10000xf32>>, bias = #nopt.array<constant(value = 0.5) : tensor<10000xf32>>}
// CHECK-NOT:   dialect_resources

// f32 represents weights of f32, so these stay rules. Weights of f64 are rounded, which is the same rule in f32; the error is at most
// half of the last place of numbers up to 0.3, 2^-26 = 1.4901e-08.
// TICKS-LABEL: ntensor.network @large
// TICKS:       ntensor.linear "fc" %{{.*}} {weight = #nopt.array<normal(mean = 0.0, std = 0.01, seed = 1) : tensor<10000x10000xf32>>}
// TICKS:       ntensor.linear "rec" %{{.*}} {weight = #nopt.array<uniform(low = -1.0, high = 1.0e-05, seed = 18446744073709551615, density = 0.1) : tensor<10000x10000xf32>>, bias
// TICKS-LABEL: ntensor.network @rounded
// TICKS-SAME:    "parameters rounded to f32", ["fc"], 1.48{{[0-9]+}}e-08
// TICKS:       ntensor.linear "fc" %{{.*}} {weight = #nopt.array<uniform(low = 0.0, high = 0.3, seed = 7) : tensor<100x100xf32>>}
nir.graph @large("in" %x: tensor<10000xf32>) -> ("out": tensor<10000xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<normal(mean = 0, std = 1.0e-2, seed = 1) : tensor<10000x10000xf32>>} : tensor<10000xf32> -> tensor<10000xf32>
  %r = nir.affine "rec" %z {
    weight = #nopt.array<uniform(density = 0.1, seed = 18446744073709551615, low = -1, high = 0.00001) : tensor<10000x10000xf32>>,
    bias = #nopt.array<constant(value = 0.5) : tensor<10000xf32>>
  } : tensor<10000xi1> -> tensor<10000xf32>
  %s = nir.sum %a, %r : (tensor<10000xf32>, tensor<10000xf32>) -> tensor<10000xf32>
  %z = nir.lif "z" %s {
    tau = #nopt.array<uniform(low = 0.01, high = 0.02, seed = 3) : tensor<10000xf32>>,
    r = #nopt.array<constant(value = 1) : tensor<10000xf32>>,
    v_leak = #nopt.array<constant(value = 0) : tensor<10000xf32>>,
    v_threshold = #nopt.array<normal(mean = 1, std = 0.1, seed = 4) : tensor<10000xf32>>,
    v_reset = #nopt.array<constant(value = 0) : tensor<10000xf32>>
  } : tensor<10000xf32> -> tensor<10000xi1>
  nir.output %z : tensor<10000xi1>
}

nir.graph @rounded("in" %x: tensor<100xf32>) -> ("out": tensor<100xf32>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<uniform(low = 0, high = 0.3, seed = 7, density = 1) : tensor<100x100xf64>>} : tensor<100xf32> -> tensor<100xf32>
  nir.output %a : tensor<100xf32>
}

// Constants exist for every type.
// CHECK-LABEL: "test.op"
// CHECK-SAME:    a = #nopt.array<constant(value = -3) : tensor<5xi8>>
// CHECK-SAME:    b = #nopt.array<constant(value = 1) : tensor<2x2xi1>>
// CHECK-SAME:    c = #nopt.array<constant(value = 0.1) : tensor<f16>>
"test.op"() {
  a = #nopt.array<constant(value = -3) : tensor<5xi8>>,
  b = #nopt.array<constant(value = 1) : tensor<2x2xi1>>,
  c = #nopt.array<constant(value = 0.1) : tensor<f16>>
} : () -> ()

// Integers from low to high - 1, for types of integers.
// CHECK-LABEL: "test.op"
// CHECK-SAME:    a = #nopt.array<integers(low = -3, high = 5, seed = 1) : tensor<100xi8>>
// CHECK-SAME:    b = #nopt.array<integers(low = 0, high = 65536, seed = 2) : tensor<9x9xui16>>
"test.op"() {
  a = #nopt.array<integers(low = -3, high = 5, seed = 1) : tensor<100xi8>>,
  b = #nopt.array<integers(low = 0, high = 65536, seed = 2) : tensor<9x9xui16>>
} : () -> ()
