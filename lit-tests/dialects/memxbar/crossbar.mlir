// Two levels, and a converter of two bits, are the fewest.
// RUN: nopt compile %S/inputs/memxbar_spikes.mlir --target memxbar --set features.cell_bits=1 --set quantization.weight_bits=2 --set features.adc_bits=2 -o %t > /dev/null
