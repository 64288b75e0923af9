"""From a temporal formula to a complete softmax transformer: a compiler, the proof of what it made, a runner.

The stages, each a module: `operators` (which construction computes an operator), `lower` (formula to circuit),
`schedule` (circuit to layers), `emit` (layers to weight matrices), `compiler` (all of them); then `verify` (the proof,
read off the matrices), `run` (the matrices on strings).
"""
