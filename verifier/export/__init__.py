"""Compiled transformers as files for other programs: an ONNX graph, or the weights as named arrays.

`arrays` names the arrays, `files` writes them (npz, safetensors), `onnx_graph` builds the graph, `onnx_check` runs it
in onnxruntime beside our own runner. docs/export.md documents the layout.
"""
