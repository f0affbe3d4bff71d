// RUN: nopt %s | filecheck %s
// RUN: nopt %s > %t.a && nopt %t.a > %t.b && diff %t.a %t.b
// RUN: nopt %s --print-op-generic > %t.c && nopt %t.c > %t.b && diff %t.a %t.b

// Strings in any script, with quotes and line breaks, are restored as names, keys and values.
// CHECK:      nir.graph @"\E7\B6\B2"("\C3\A9 \22" %x: tensor<1xf32>) -> ("\C3\BC\0A": tensor<1xf32>)
// CHECK:      "test.op"() {case = "scripts", plain = "\C3\A9", mixed = "\E6\BC\A2 \22quoted\22\0A\\", "\C3\9F" = "key"} : () -> ()
nir.graph @"網"("é \"" %x: tensor<1xf32>) -> ("ü\n": tensor<1xf32>) {
  nir.output %x : tensor<1xf32>
}
"test.op"() {case = "scripts", plain = "é", mixed = "漢 \"quoted\"\n\\", "ß" = "key"} : () -> ()
