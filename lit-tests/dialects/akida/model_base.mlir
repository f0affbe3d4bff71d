// A model reads an input by an op of its own, or by an input convolution whose name `input` it states.
// RUN: nopt %S/inputs/akida.mlir | filecheck %s
// RUN: nopt %S/inputs/akida_image.mlir | filecheck %s --check-prefix=IMAGE
// CHECK:      ip_version = "v1"} {
// CHECK-NEXT:   akida.input_data "input"
// CHECK:        akida.output "out" of "fc"
// IMAGE:      ip_version = "v1", input = "image"} {
// IMAGE-NEXT:   akida.input_convolutional "c1"
