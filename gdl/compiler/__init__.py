"""Games by rules as compiled code: the model is lowered to kernel Python, which runs as it stands or as WebAssembly."""
