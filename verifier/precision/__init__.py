"""How long a construction, or a compiled formula, survives in a number format: the first length at which it is wrong.

Rounding is applied where hardware applies it. Rounded to the format are: position features, weights, 1/temperature;
every query and key entry; the score q·k; the exponent, score times 1/temperature; its distance from the row's largest;
its exponential; the normalized weight; the head's output; every ReLU and every coordinate of the residual stream. The
sums within (dot products, the softmax's denominator, the weighted sum) are accumulated in float32, or in float64 for
float64, and rounded at their end.
"""
