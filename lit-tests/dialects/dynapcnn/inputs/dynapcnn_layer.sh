#!/bin/sh
# Prints a configuration with one layer: dynapcnn_layer.sh CORE CHANNELS INPUT FILTERS OUTPUT KERNEL STRIDE PADDING
here=$(dirname "$0")
sed "s/\bN\b/$1/g; s/\[C, I, I\]/[$2, $3, $3]/g; s/\[F, O, O\]/[$4, $5, $5]/; s/FxCxKxK/$4x$2x$6x$6/; s/\[S, S\]/[$7, $7]/; s/\[P, P\]/[$8, $8]/" "$here/dynapcnn_layer.mlir"
