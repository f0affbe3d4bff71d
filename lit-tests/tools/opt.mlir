// Every module of a file is read, verified and printed; custom and generic form restore the same text.
// RUN: nopt %s --split-input-file -o %t.mlir
// RUN: nopt %t.mlir --split-input-file | diff %t.mlir -
// RUN: nopt %s --split-input-file --print-op-generic -o %t.generic.mlir
// RUN: nopt %t.generic.mlir --split-input-file | diff %t.mlir -
// RUN: filecheck %s < %t.mlir

// Standard input is textual IR.
// RUN: nopt - --split-input-file < %s | diff %t.mlir -
// RUN: nopt %s --split-input-file -o - | diff %t.mlir -

// Pipelines in both spellings; output between passes goes to standard error.
// RUN: nopt %s --split-input-file -p canonicalize,cse --print-ir-after-change -o /dev/null 2>&1 | filecheck %s --check-prefix=CHANGE
// RUN: nopt %s --split-input-file --pass-pipeline='builtin.module(canonicalize,cse)' --print-between-passes -o /dev/null 2>&1 | filecheck %s --check-prefix=BETWEEN
// RUN: nopt %s --split-input-file -p canonicalize --pass-pipeline='builtin.module(cse)' --print-ir-after-change -o /dev/null 2>&1 | filecheck %s --check-prefix=CHANGE
// RUN: nopt %s --split-input-file --passes canonicalize --statistics -o /dev/null 2>&1 | filecheck %s --check-prefix=STATISTICS
// RUN: nopt %s --split-input-file -p canonicalize --timing -o /dev/null 2>&1 | filecheck %s --check-prefix=TIMING
// RUN: nopt %s --split-input-file -p canonicalize,cse --print-ir-tree-dir %t.tree -o /dev/null
// RUN: ls %t.tree/chunk-1 | filecheck %s --check-prefix=TREE
// RUN: filecheck %s --check-prefix=STAGE < %t.tree/chunk-1/01-canonicalize.mlir

// The names of mlir-opt are accepted. The pipeline is printed before it runs, and each pass is printed even without a change.
// RUN: nopt %s --split-input-file -p canonicalize,cse --mlir-print-ir-after-all --dump-pass-pipeline --verify-each=true -o /dev/null 2>&1 | filecheck %s --check-prefix=ALL
// ALL:         builtin.module(canonicalize,cse)
// ALL-NEXT:    // -----// IR Dump After canonicalize //----- //
// ALL:         // -----// IR Dump After cse //----- //

// Modules are printed before passes, and around passes that are named. Flags for the behaviour of the driver are accepted.
// RUN: nopt %s --split-input-file -p canonicalize,cse --mlir-print-ir-before-all -o /dev/null 2>&1 | filecheck %s --check-prefix=BEFORE
// RUN: nopt %s --split-input-file -p canonicalize,cse --mlir-print-ir-before=cse --print-ir-after=canonicalize -o /dev/null 2>&1 | filecheck %s --check-prefix=NAMED
// RUN: nopt %s --split-input-file --mlir-disable-threading --mlir-print-ir-module-scope --mlir-pass-pipeline-local-reproducer | diff %t.mlir -
// BEFORE:      // -----// IR Dump Before canonicalize //----- //
// BEFORE:        arith.addi
// BEFORE:      // -----// IR Dump Before cse //----- //
// BEFORE-NOT:  // -----// IR Dump After
// NAMED-NOT:   // -----// IR Dump Before canonicalize
// NAMED:       // -----// IR Dump After canonicalize //----- //
// NAMED:       // -----// IR Dump Before cse //----- //
// NAMED-NOT:   // -----// IR Dump After cse

// Large arrays are elided on request: the key remains, the bytes do not.
// RUN: nopt %root/examples/bars/bars.nir | filecheck %s --check-prefix=BYTES
// RUN: nopt %root/examples/bars/bars.nir --mlir-elide-elementsattrs-if-larger 16 | filecheck %s --check-prefix=ELIDED
// BYTES:       dialect_resources
// ELIDED:      #nopt.array<h
// ELIDED-NOT:  dialect_resources

// CHECK:      builtin.module {
// CHECK-NEXT:   func.func @twice
// CHECK-NEXT:     arith.constant 2 : i32
// CHECK-NEXT:     arith.constant 2 : i32
// CHECK-NEXT:     arith.addi
// CHECK-NEXT:     func.return
// CHECK:      // -----
// CHECK-NEXT: builtin.module {
// CHECK-NEXT:   func.func @empty

// `canonicalize` folds the sum, so `cse` changes nothing.
// CHANGE:      // -----// IR Dump After canonicalize //----- //
// CHANGE:        arith.constant 4 : i32
// CHANGE-NOT:  // -----// IR Dump After cse

// BETWEEN:     // -----// IR Dump After input //----- //
// BETWEEN:       arith.addi
// BETWEEN:     // -----// IR Dump After canonicalize //----- //
// BETWEEN:     // -----// IR Dump After cse //----- //

// STATISTICS:      canonicalize: 6 -> 4 ops
// STATISTICS-NEXT:   arith.addi {{.*}} 1 -> {{.*}} 0
// STATISTICS-NEXT:   arith.constant {{.*}} 2 -> {{.*}} 1
// STATISTICS-NEXT: canonicalize: 3 -> 3 ops

// TIMING:      s {{.*}}% read
// TIMING-NEXT: s {{.*}}% verify
// TIMING-NEXT: s {{.*}}% canonicalize
// TIMING-NEXT: s {{.*}}% write mlir
// TIMING:      s 100.0% total

// TREE:      01-canonicalize.mlir
// TREE-NEXT: 02-cse.mlir
// STAGE:     arith.constant 4 : i32

func.func @twice() -> i32 {
  %a = arith.constant 2 : i32
  %b = arith.constant 2 : i32
  %c = arith.addi %a, %b : i32
  func.return %c : i32
}

// -----

func.func @empty() {
  func.return
}
