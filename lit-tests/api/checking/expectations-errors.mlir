// Unexpected findings, missing findings, and malformed expectations fail.
// RUN: exits 1 nopt %s --split-input-file --verify-diagnostics 2>&1 | filecheck %s

// CHECK:      expectations-errors.mlir:29:{{[0-9]+}}: error[EXP001]: unexpected error: error[SRC001]: Operation unknown.op is not registered
// CHECK-NEXT:   at: "unknown.op"() : () -> ()
// CHECK:        expected: no finding, or a comment that expects it
// CHECK:        help: // expected{{-}}error @+1 {{.*}}error[SRC001]: Operation unknown.op is not registered

// CHECK:      :33: error[EXP002]: expected error was not produced: "never reported"
// CHECK-NEXT:   expected: error on line 34
// CHECK-NEXT:   found: no finding there
// CHECK-NEXT:   help: correct the text or the place of the comment, or the IR

// The right text with another severity.
// CHECK:      :39:{{[0-9]+}}: error[EXP001]: unexpected error: error[SRC001]
// CHECK:      :38: error[EXP002]: expected warning was not produced: "is not registered"
// CHECK-NEXT:   expected: warning on line 39
// CHECK-NEXT:   found: error[SRC001]: Operation unknown.op is not registered

// A misspelt severity, an invalid place, and an invalid pattern.
// CHECK:      :43: error[EXP003]: the expectation cannot be parsed
// CHECK-NEXT:   expected: expected{{-}}error, -warning, -remark or -note, a place such as @+1, and
// CHECK-NEXT:   found: {{.*}}
// CHECK-NEXT:   help: // expected{{-}}error @+1
// CHECK:      :44: error[EXP003]
// CHECK:      :45: error[EXP003]

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
