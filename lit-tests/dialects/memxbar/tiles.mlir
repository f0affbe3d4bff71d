// A tile has at most the 128 rows and 128 columns of an array. In the differential encoding an output takes two columns.
// RUN: mutate 's/tensor<4xi1>/tensor<128xi1>/g' 's/\[0, 4\]/[0, 128]/' 's/levels = .*ui8>>/levels = #nopt.array<integers(low = 0, high = 32, seed = 1) : tensor<128x4xui8>>/' %S/inputs/memxbar.mlir | nopt - -o /dev/null
// RUN: mutate 's/tensor<4xi1>/tensor<129xi1>/g' 's/\[0, 4\]/[0, 129]/' 's/levels = .*ui8>>/levels = #nopt.array<integers(low = 0, high = 32, seed = 1) : tensor<129x4xui8>>/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=ROWS
// RUN: mutate 's/tensor<2xi16>/tensor<64xi16>/g' 's/\[0, 2\]/[0, 64]/' 's/levels = .*ui8>>/levels = #nopt.array<integers(low = 0, high = 32, seed = 1) : tensor<4x128xui8>>/' %S/inputs/memxbar.mlir | nopt - -o /dev/null
// RUN: mutate 's/tensor<2xi16>/tensor<65xi16>/g' 's/\[0, 2\]/[0, 65]/' 's/levels = .*ui8>>/levels = #nopt.array<integers(low = 0, high = 32, seed = 1) : tensor<4x130xui8>>/' %S/inputs/memxbar.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=COLUMNS
// ROWS:    error[DEV016]: input axons 129 exceed the limit 128
// ROWS:      expected: at most 128 axons (memxbar/array128, core.input_axons: {{.*}}
// ROWS:      found: 129 axons
// COLUMNS: error[DEV016]: neurons 130 exceed the limit 128
// COLUMNS:   expected: at most 128 neurons (memxbar/array128, core.neurons: {{.*}}
// COLUMNS:   found: 130 neurons

// The round trip.
// RUN: nopt %S/inputs/memxbar.mlir | nopt - | filecheck %s
// CHECK: memxbar.tile 0 {{.*}}rows = #nopt.array<[0, 4] : tensor<2xi32>>, columns = #nopt.array<[0, 2] : tensor<2xi32>>, levels = #nopt.array<{{.*}} : tensor<4x4xui8>>}
