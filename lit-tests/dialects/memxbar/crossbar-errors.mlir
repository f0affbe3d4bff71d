// Parameters of the device contradict each other: the greatest conductance, the levels, the bits of a weight, the bits of a converter.
// RUN: not nopt compile %S/inputs/memxbar_spikes.mlir --target memxbar --set features.g_min=30 -o %t 2>&1 | filecheck %s --check-prefix=GREATEST
// RUN: not nopt compile %S/inputs/memxbar_spikes.mlir --target memxbar --set features.cell_bits=0 -o %t 2>&1 | filecheck %s --check-prefix=LEVELS
// RUN: not nopt compile %S/inputs/memxbar_spikes.mlir --target memxbar --set features.encoding=offset -o %t 2>&1 | filecheck %s --check-prefix=BITS
// RUN: not nopt compile %S/inputs/memxbar_spikes.mlir --target memxbar --set features.adc_bits=1 -o %t 2>&1 | filecheck %s --check-prefix=ADC
// GREATEST: error[MXB004]: the highest level has not the greatest conductance: memxbar/array128
// GREATEST:   at: $.features.g_max
// GREATEST:   expected: more than g_min, which is 30 uS
// GREATEST:   found: 25 uS
// LEVELS:   error[MXB004]: cell_bits is out of range: memxbar/array128
// LEVELS:     at: $.features.cell_bits
// LEVELS:     expected: at least one bit, which are two levels
// BITS:     error[MXB004]: the cells of a weight cannot hold its bits: memxbar/array128
// BITS:       at: $.quantization.weight_bits
// BITS:       expected: 2 to 5 bits
// ADC:      error[MXB004]: a signed converter has 1 bit: memxbar/array128
// ADC:        at: $.features.adc_bits
