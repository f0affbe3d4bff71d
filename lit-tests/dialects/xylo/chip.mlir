// A chip is printed as it is read, with the device as a record.
// RUN: nopt %S/inputs/xylo.mlir | filecheck %s
// RUN: nopt %S/inputs/xylo.mlir | nopt - | filecheck %s

// CHECK:        xylo.chip @net attributes {machine.device = #nopt.device<"xylo/audio2", digest = {{.*}}>, tick_ns = 1000000 : i64} {
// CHECK-NEXT:     xylo.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0] : tensor<1xi32>>, channels = #nopt.array<[0] : tensor<1xi32>>} : tensor<1xi1> {
// CHECK:          xylo.core 0 attributes {axons = 1 : i64} {
// CHECK-NEXT:       xylo.hidden "h/0" of "h" attributes {{.*}}threshold = #nopt.array<[16384, 16384] : tensor<2xi32>>
// CHECK:            xylo.readout "o/0" of "o" attributes
// CHECK:            xylo.weights "input" {shift = 7 : i64, source = #nopt.array<[0] : tensor<1xi32>>, target = #nopt.array<[0] : tensor<1xi32>>, current = #nopt.array<[0] : tensor<1xi32>>, weight = #nopt.array<[100] : tensor<1xi8>>}
// CHECK:          xylo.output "y" of "o" {delay = #nopt.array<0 : tensor<i64>>} : tensor<1xi1>

// Each limit just inside.
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 inputs=16 outputs=8 count=4 | nopt - -o /dev/null
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 hidden=1000 sender=0 reach=999 fan_out=64 current=1 | nopt - -o /dev/null
// RUN: python %S/inputs/xylo_chip.py xylo/audio3 hidden=992 sender=991 reach=127 fan_out=992 bias=127 | nopt - -o /dev/null
// RUN: python %S/inputs/xylo_chip.py xylo/audio3 hidden=300 sender=172 outputs=16 shift=8 | nopt - -o /dev/null
// RUN: python %S/inputs/xylo_chip.py xylo/imu hidden=400 sender=399 synapses=31743 | nopt - -o /dev/null

// Without a device only the structure is checked.
// RUN: python %S/inputs/xylo_chip.py none inputs=99 outputs=99 | nopt - -o /dev/null

// The host can send several spikes in a tick.
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 count=4 | nopt - | filecheck %s --check-prefix=COUNT
// COUNT:        : tensor<1x!ntensor.count<4>>
