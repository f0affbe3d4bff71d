// A core counts its rows: a row is a source neuron of a projection. Neurons have the model and the reset of py-spinnaker2.
// RUN: nopt %S/inputs/spinnaker2.mlir | filecheck %s
// CHECK:      spinnaker2.core 0 attributes {axons = 3 : i64} {
// CHECK-NEXT:   spinnaker2.neurons "one/0" of "one" @lif_no_delay.value attributes {model = "lif_no_delay", reset = "reset_to_v_reset"
