// Unexpected findings, missing findings, and malformed expectations fail.
// RUN: exits 1 nopt %s --split-input-file --verify-diagnostics 2>&1 | filecheck %s

// CHECK:      expectations-errors.mlir:29:{{[0-9]+}}: error[CHK019]: unexpected error: error[COR024]: Operation unknown.op is not registered
// CHECK-NEXT:   at: "unknown.op"() : () -> ()
// CHECK:        expected: no finding, or a comment that expects it
// CHECK:        help: // expected{{-}}error @+1 {{.*}}error[COR024]: Operation unknown.op is not registered

// CHECK:      :33: error[CHK020]: expected error was not produced: "never reported"
// CHECK-NEXT:   expected: error on line 34
// CHECK-NEXT:   found: no finding there
// CHECK-NEXT:   help: correct the text or the place of the comment, or the IR

// The right text with another severity.
// CHECK:      :39:{{[0-9]+}}: error[CHK019]: unexpected error: error[COR024]
// CHECK:      :38: error[CHK020]: expected warning was not produced: "is not registered"
// CHECK-NEXT:   expected: warning on line 39
// CHECK-NEXT:   found: error[COR024]: Operation unknown.op is not registered

// A misspelt severity, an invalid place, and an invalid pattern.
// CHECK:      :43: error[CHK021]: the expectation cannot be parsed
// CHECK-NEXT:   expected: expected{{-}}error, -warning, -remark or -note, a place such as @+1, and
// CHECK-NEXT:   found: {{.*}}
// CHECK-NEXT:   help: // expected{{-}}error @+1
// CHECK:      :44: error[CHK021]
// CHECK:      :45: error[CHK021]

// -----
"unknown.op"() : () -> ()

// -----

// expected-error @+1 {{never reported}}
builtin.module {}

// -----

// expected-warning @+1 {{is not registered}}
"unknown.op"() : () -> ()

// -----

// expected-eror @+1 {{text}}
// expected-error @next {{text}}
// expected-error-re {{a {{(}} b}}
builtin.module {}
