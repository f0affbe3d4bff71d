// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// An unclosed string is refused immediately: xDSL's lexer would try every split of it.
// CHECK: text-errors.mlir:[[LINE:[0-9]+]]:{{[0-9]+}}: error[COR024]: End of file reached before closing string literal.
"test.op"() {a = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa} : () -> ()

// -----

// The first token of a file is read when the parser is created.
// CHECK: error[COR024]: Unexpected character
﻿"test.op"() : () -> ()

// -----

// Thirteen lines that represent thirty million numbers.
// CHECK: error[COR024]: aliases expand to more than 1000000 attributes
#a0 = [0, 1]
#a1 = [#a0, #a0, #a0, #a0]
#a2 = [#a1, #a1, #a1, #a1]
#a3 = [#a2, #a2, #a2, #a2]
#a4 = [#a3, #a3, #a3, #a3]
#a5 = [#a4, #a4, #a4, #a4]
#a6 = [#a5, #a5, #a5, #a5]
#a7 = [#a6, #a6, #a6, #a6]
#a8 = [#a7, #a7, #a7, #a7]
#a9 = [#a8, #a8, #a8, #a8]
#a10 = [#a9, #a9, #a9, #a9]
#a11 = [#a10, #a10, #a10, #a10]
#a12 = [#a11, #a11, #a11, #a11]
"test.op"() {a = #a12} : () -> ()

// -----

// A short rule that would need 800 GB.
// CHECK: error[COR024]: more than 4194304 elements that are written as one
"test.op"() {a = dense<0> : tensor<99999999999xi64>} : () -> ()

// -----

// An invalid attribute outside all ops.
// CHECK: text-errors.mlir:[[LINE:[0-9]+]]:{{[0-9]+}}: error[NTE003]: !ntensor.count requires 1 to 63 bits
!count = !ntensor.count<0>
"test.op"() {a = !count} : () -> ()

// -----

// An unexpected Python exception of xDSL is reported with its place.
// CHECK:      text-errors.mlir:[[LINE:[0-9]+]]:{{[0-9]+}}: error[COR027]: xDSL cannot read this
// CHECK-NEXT:   found: ZeroDivisionError: {{.+}}
// CHECK-NEXT:   help: nopt explain COR027
"test.op"() {a = affine_map<(d0) -> (1 floordiv 0)>} : () -> ()

// -----

// CHECK:      error[COR027]: xDSL cannot read this
// CHECK-NEXT:   found: NotImplementedError: Currently only dialect resources are supported
"test.op"() : () -> ()
{-# external_resources: {} #-}
