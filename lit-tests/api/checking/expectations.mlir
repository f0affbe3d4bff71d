// Every form of an expectation matches, and nothing is printed.
// RUN: nopt %s --split-input-file --verify-diagnostics -p 'convert-nir-to-ntensor{like=norse}' -o /dev/null 2>&1 | filecheck %s --allow-empty --check-prefix=SILENT
// RUN: nopt %s --split-input-file --verify-diagnostics -p 'convert-nir-to-ntensor{like=norse}' -o /dev/null
// SILENT-NOT: {{.}}

// expected-error @+1 {{[COR024]: Operation unknown.op is not registered}}
"unknown.op"() : () -> ()

// -----

"unknown.op"() : () -> () // expected-error {{Operation unknown.op is not registered}}

// -----

"unknown.op"() : () -> ()
// expected-error @-1 {{error[COR024]}}

// -----

// expected-error @below {{is not registered}}
"unknown.op"() : () -> ()

// -----

"unknown.op"() : () -> ()
// expected-error @above {{is not registered}}

// -----

func.func @f() -> i32 {
  // expected-error-re @+1 {{[COR025]: Expected arguments {{.*}} got []}}
  func.return
}

// -----

// The refusal of a pass has the line of its op; each of its notes is expected, too.
// expected-error @+4 {{[ANA033]: the time step is not given}}
// expected-note @+3 {{no parameter of the file suggests a time step}}
// expected-note @+2 {{the shortest time constant is 0.01 s}}
// expected-note-re @+1 {{snnTorch's importer takes {{.*}}}}
nir.graph @net("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %z = nir.lif "lif" %x {tau = #nopt.array<0.01 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
