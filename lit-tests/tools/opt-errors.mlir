// The errors of all modules are reported with their lines in the file, and no output is written.
// RUN: exits 1 nopt %s --split-input-file -o %t.mlir 2>&1 | filecheck %s
// RUN: not ls %t.mlir

// The JSON record has the same findings.
// RUN: exits 1 nopt %s --split-input-file --format json 2>&1 | filecheck %s --check-prefix=JSON

// Options print a module that does not verify, and accept ops of unknown dialects.
// RUN: nopt %s --split-input-file --disable-verify --allow-unregistered-dialect | filecheck %s --check-prefix=LOOK

// A binary format requires a file, and one module.
// RUN: exits 2 python %S/inputs/pretend.py %S/inputs/lif.mlir -t pretend 2>&1 | filecheck %s --check-prefix=TEXT
// RUN: exits 2 python %S/inputs/pretend.py %s --split-input-file --disable-verify --allow-unregistered-dialect -t pretend 2>&1 | filecheck %s --check-prefix=ONE

// A time step is an option of a pass, or of `--verify-equivalence`; a file must be specified.
// RUN: exits 2 nopt %S/inputs/lif.mlir --dt 1ms --like norse 2>&1 | filecheck %s --check-prefix=NOTHING
// RUN: exits 2 nopt -p canonicalize 2>&1 | filecheck %s --check-prefix=NOFILE

// A pass around which modules are printed is in the pipeline.
// RUN: exits 2 nopt %S/inputs/lif.mlir -p canonicalize,cse --print-ir-after=canonicalise 2>&1 | filecheck %s --check-prefix=AROUND
// RUN: exits 2 nopt %S/inputs/lif.mlir --mlir-print-ir-before cse 2>&1 | filecheck %s --check-prefix=WITHOUT
// AROUND:       error[CLI001]: --print-ir-after canonicalise has no effect
// AROUND-NEXT:    at: nopt
// AROUND-NEXT:    expected: a pass of the pipeline: canonicalize, cse
// AROUND-NEXT:    found: canonicalise
// AROUND-NEXT:    help: nopt {{.*}}lif.mlir -p canonicalize,cse --print-ir-after=canonicalize
// WITHOUT:        expected: a pass of the pipeline: it has none
// WITHOUT:        help: nopt {{.*}}lif.mlir

// The module before a pass that refuses is written, and the command that repeats it; a file that cannot be written is another error.
// RUN: exits 1 nopt %S/inputs/lif.mlir -p canonicalize,ntensor-split-pools --mlir-pass-pipeline-crash-reproducer=%t.crash.mlir 2>&1 | filecheck %s --check-prefix=CRASH
// RUN: exits 1 nopt %t.crash.mlir -p ntensor-split-pools 2>&1 | filecheck %s --check-prefix=AGAIN
// RUN: exits 1 nopt %S/inputs/lif.mlir -p ntensor-split-pools --pass-pipeline-crash-reproducer %t.none/x.mlir 2>&1 | filecheck %s --check-prefix=UNWRITTEN
// CRASH:        error[NTE009]
// CRASH:          note: nopt {{.*}}.crash.mlir -p ntensor-split-pools repeats it
// AGAIN:        error[NTE009]
// UNWRITTEN:    error[NTE009]
// UNWRITTEN:      note: while ntensor-split-pools ran
// UNWRITTEN:    error[API012]: the output cannot be written
// UNWRITTEN-NEXT: at: {{.*}}x.mlir

// CHECK-NOT:    builtin.module {
// CHECK:        opt-errors.mlir:{{[0-9]+}}:3: error[COR025]
// CHECK:        opt-errors.mlir:{{[0-9]+}}:{{[0-9]+}}: error[COR024]: Operation unknown.op is not registered

// JSON:         "schema": "nopt.findings/1"
// JSON:         "code": "COR025"
// JSON-NEXT:    "name": "op-invalid",
// JSON-NEXT:    "severity": "error"
// JSON:         "help": null
// JSON:         "code": "COR024"

// LOOK:         func.return
// LOOK:         unknown.op

// TEXT:         error[CLI005]: the format pretend is not text
// TEXT-NEXT:      at: -o -
// TEXT-NEXT:      expected: a file
// TEXT-NEXT:      found: standard output
// TEXT-NEXT:      help: nopt {{.*}}lif.mlir -t pretend -o OUT

// ONE:          error[API010]: 2 outputs of the format pretend cannot be joined
// ONE-NEXT:       at: --split-input-file
// ONE-NEXT:       expected: one module, or a textual format
// ONE-NEXT:       found: 2 modules
// ONE-NEXT:       help: nopt {{.*}}opt-errors.mlir --split-input-file --disable-verify --allow-unregistered-dialect -t mlir

// NOTHING:      error[CLI001]: --dt and --like have no effect without --verify-equivalence
// NOTHING:        help: nopt {{.*}} -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}'

// NOFILE:       error[CLI001]: no file is specified
// NOFILE:         help: nopt - --help

func.func @wrong() -> i32 {
  func.return
}

// -----

"unknown.op"() : () -> ()
