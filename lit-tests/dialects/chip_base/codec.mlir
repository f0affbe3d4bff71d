// The op of a chip is written with the names of its properties. A text, a type, a symbol and a case of an enumeration are texts: the
// definition of the property selects how they are read.
// RUN: nopt %S/../loihi2/inputs/loihi2.mlir -t loihi2 | filecheck %s
// CHECK:       "schema": "nopt.loihi2/2",
// CHECK-NEXT:  "chip": {
// CHECK-NEXT:   "op": "loihi2.chip",
// CHECK-NEXT:   "sym_name": "net",
// CHECK-NEXT:   "tick_ns": 1000000,
// CHECK-NEXT:   "body": [
// CHECK-NEXT:    {
// CHECK-NEXT:     "op": "loihi2.input",
// CHECK-NEXT:     "node": "input/0",
// CHECK-NEXT:     "source": "input",
// CHECK-NEXT:     "index": {"type": "i32", "shape": [2], "values": [0, 1]},
// CHECK-NEXT:     "type": "tensor<2xi1>",
// CHECK-NEXT:     "at": 0,
// CHECK-NEXT:     "body": [
// CHECK-NEXT:      {
// CHECK-NEXT:       "op": "loihi2.output_axons",
// CHECK:          "thresholds": {"vth": {"type": "i64", "shape": [2], "values": [25, 30]}},
// CHECK:            "update": "fire",
// CHECK-NEXT:       "initial": {},
// CHECK:              "sign_mode": "mixed",
// CHECK-NEXT:         "weight_exp": -1,
// CHECK-NEXT:         "weight": {"type": "i16", "shape": [2, 2], "values": [6, -14, 0, 10]},

// Annotations are written, too. A value that JSON does not have is in MLIR, and so is a dictionary that looks like an array.
// RUN: mutate 's/machine.device =/my.note = {by = "hand", levels = [1 : i64, 2.5 : f64, unit]}, my.type = {type = i8, shape = 1 : i64}, machine.device =/' %S/../loihi2/inputs/loihi2.mlir > %t.mlir && nopt %t.mlir -t loihi2 | filecheck %s --check-prefix=NOTE
// NOTE:       "attributes": {"my.note": {"by": "hand", "levels": [1, 2.5, {"mlir": "unit"}]}, "my.type": {"mlir": "{type = i8, shape = 1 : i64}"}}
