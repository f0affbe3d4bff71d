"""An imitation of wgpu whose library cannot be loaded."""

raise OSError("libwgpu_native.so: cannot open shared object file")
