"""A compiled transformer as a standard ONNX graph, the length-dependent temperature and features inside it.

Input: `tokens`, int64 [batch, n], the rows of the embedding. Outputs: `output` [batch, n], exactly 0 or 1; `value`,
the same as Booleans; `accepted`, Boolean [batch]. Only operators that every executor has are used. A row without
visible keys gives 0: masked scores are a large negative number, and the weights are masked once more after softmax.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.compile.transformer import AttentionLayer, Transformer
from verifier.export.arrays import arrays, metadata
from verifier.export.files import load_package
from verifier.logic.syntax import is_past_only
from verifier.spec.construction import Mask

OPSET = 17
IR_VERSION = 8
MASKED = {"float64": -1e300, "float32": -1e30}
_COMPARE = {
    Mask.CAUSAL: "LessOrEqual", Mask.STRICT_CAUSAL: "Less", Mask.PAST: "GreaterOrEqual", Mask.STRICT_PAST: "Greater",
}  # fmt: skip


def onnx_bytes(transformer: Transformer, dtype: str = "float64") -> bytes:
    """The serialized model, checked by the package onnx.

    Args:
        transformer: as the compiler made it.
        dtype: of the arithmetic, ``float64`` or ``float32``.

    Raises:
        MissingPackageError: the package onnx is not installed.
        ValueError: a weight is not exact in this type.
    """
    onnx = load_package("onnx")
    return bytes(_Graph(onnx, transformer, dtype).model().SerializeToString(deterministic=True))


class _Graph:
    """Nodes and constants in the making; every method returns the name of the value that it adds."""

    def __init__(self, onnx: Any, transformer: Transformer, dtype: str) -> None:
        self.onnx = onnx
        self.helper = onnx.helper
        self.transformer = transformer
        self.dtype = dtype
        self.weights = arrays(transformer, dtype)
        self.float = self.helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._made: dict[tuple[Any, ...], str] = {}

    def model(self) -> Any:
        """The whole model."""
        types, helper = self.onnx.TensorProto, self.helper
        stream = self._embedded()
        for number, layer in enumerate(self.transformer.layers):
            prefix = f"layers.{number}"
            stream = (
                self._attention(prefix, layer, stream)
                if isinstance(layer, AttentionLayer)
                else self._feed_forward(prefix, stream)
            )
        self._outputs(stream)
        graph = helper.make_graph(
            self.nodes,
            "transformer",
            [helper.make_tensor_value_info("tokens", types.INT64, ["batch", "n"])],
            [
                helper.make_tensor_value_info("output", self.float, ["batch", "n"]),
                helper.make_tensor_value_info("value", types.BOOL, ["batch", "n"]),
                helper.make_tensor_value_info("accepted", types.BOOL, ["batch"]),
            ],
            self.constants,
        )
        model = helper.make_model(
            graph, producer_name="hard-attention-verifier", ir_version=IR_VERSION,
            opset_imports=[helper.make_opsetid("", OPSET)],
        )  # fmt: skip
        helper.set_model_props(model, dict(metadata(self.transformer)))
        self.onnx.checker.check_model(model, full_check=True)
        return model

    def _node(self, operator: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        key = (operator, inputs, name, repr(attributes))
        if key not in self._made:
            made = name or f"{operator.lower()}_{len(self.nodes)}"
            self.nodes.append(self.helper.make_node(operator, list(inputs), [made], **attributes))
            self._made[key] = made
        return self._made[key]

    def _constant(self, name: str, array: NDArray[Any]) -> str:
        if ("constant", name) not in self._made:
            self.constants.append(self.onnx.numpy_helper.from_array(np.array(array, order="C"), name))
            self._made["constant", name] = name
        return name

    def _number(self, value: float) -> str:
        return self._constant(f"number {value!r}", np.array(value, dtype=self.dtype))

    def _integers(self, *values: int) -> str:
        return self._constant(f"integers {list(values)}", np.array(values, dtype=np.int64))

    def _unsqueezed(self, value: str, *axes: int) -> str:
        return self._node("Unsqueeze", value, self._integers(*axes))

    def _sum(self, left: str, right: str) -> str:
        return self._node("Add", left, right)

    def _count(self) -> str:
        """n, as an int64 scalar."""
        shape = self._node("Shape", "tokens")
        one = self._constant("index 1", np.array(1, dtype=np.int64))
        return self._node("Gather", shape, one, axis=0)

    def _length(self) -> str:
        """n, as a floating-point scalar."""
        return self._node("Cast", self._count(), to=self.float)

    def _range(self) -> str:
        """1, ..., n, as int64."""
        one = self._constant("index 1", np.array(1, dtype=np.int64))
        return self._node("Range", one, self._node("Add", self._count(), one), one)

    def _monomial(self, powers: Sequence[int], positions: str) -> str:
        """p^a · n^b · ln(n)^c, of the shape of `positions`, in the same order of operations as our runner."""
        position, length, logarithm = powers
        value = self._power(positions, position)
        if value == self._number(1.0):
            value = self._node("Div", positions, positions)
        if length:
            scale = self._power(self._length(), abs(length))
            value = self._node("Mul" if length > 0 else "Div", value, scale)
        if logarithm:
            value = self._node("Mul", value, self._power(self._node("Log", self._length()), logarithm))
        return value

    def _power(self, base: str, exponent: int) -> str:
        if exponent in (0, 1):
            return base if exponent else self._number(1.0)
        return self._node("Pow", base, self._number(float(exponent)))

    def _embedded(self) -> str:
        table = self._constant("embedding", _wide(self.weights["embedding"], 1))
        stream = self._node("Gather", table, "tokens", axis=0)
        features = self.weights["features.powers"].tolist()
        if not features:
            return stream
        positions = self._node("Cast", self._range(), to=self.float)
        columns = [self._unsqueezed(self._monomial(powers, positions), 1) for powers in features]
        placement = np.zeros((len(features), self.transformer.width), dtype=self.dtype)
        placement[np.arange(len(features)), self.weights["features.coordinates"]] = 1
        side_by_side = self._node("Concat", *columns, axis=1)
        placed = self._node("MatMul", side_by_side, self._constant("features.placement", placement))
        return self._sum(stream, placed)

    def _attention(self, prefix: str, layer: AttentionLayer, stream: str) -> str:
        """Queries, keys and values have the shapes [batch, heads, n, d_key] and [batch, heads, n, 1]."""
        weights = {name: self.weights[f"{prefix}.{name}"] for name in ("query", "key", "value", "output")}
        biases = {name: self.weights[f"{prefix}.{name}_bias"] for name in ("query", "key", "value")}
        shared = self._unsqueezed(stream, 1)

        def projected(name: str, matrix: NDArray[Any], bias: NDArray[Any]) -> str:
            product = self._node("MatMul", shared, self._constant(f"{prefix}.{name}", matrix))
            return self._sum(product, self._constant(f"{prefix}.{name}_bias", bias))

        query = projected("query", weights["query"], biases["query"][:, None, :])
        key = projected("key", weights["key"], biases["key"][:, None, :])
        value = projected("value", weights["value"][:, :, None], biases["value"][:, None, None])
        products = self._node("MatMul", query, self._node("Transpose", key, perm=[0, 1, 3, 2]))
        scores = self._node("Mul", products, self._sharpness(prefix))
        mask = self._mask(layer)
        masked = self._node("Where", mask, scores, self._number(MASKED[self.dtype]))
        attended = self._node("Softmax", masked, axis=-1)
        attended = self._node("Mul", attended, self._node("Cast", mask, to=self.float))
        summed = self._node("Squeeze", self._node("MatMul", attended, value), self._integers(3))
        by_position = self._node("Transpose", summed, perm=[0, 2, 1])
        written = self._node("MatMul", by_position, self._constant(f"{prefix}.output", weights["output"]))
        return self._sum(stream, written)

    def _sharpness(self, prefix: str) -> str:
        """1/τ of each head, of shape [heads, 1, 1]."""
        one = self._number(1.0)
        terms = [
            self._unsqueezed(self._monomial((0, *powers), one), 0)
            for powers in self.weights[f"{prefix}.sharpness.powers"].tolist()
        ]
        together = self._node("Concat", *terms, axis=0)
        factors = self._constant(f"{prefix}.sharpness.factors", self.weights[f"{prefix}.sharpness.factors"])
        return self._unsqueezed(self._node("MatMul", factors, together), 1, 2)

    def _mask(self, layer: AttentionLayer) -> str:
        """Which keys each head's queries see, of shape [heads, n, n]."""
        kinds = list(dict.fromkeys(layer.masks))
        planes = [self._unsqueezed(self._visible(kind), 0) for kind in kinds]
        stacked = self._node("Concat", *planes, axis=0)
        which = [kinds.index(mask) for mask in layer.masks]
        return self._node("Gather", stacked, self._integers(*which), axis=0)

    def _visible(self, mask: Mask) -> str:
        queries, keys = self._unsqueezed(self._range(), 1), self._unsqueezed(self._range(), 0)
        if mask is Mask.NONE:
            within = self._node("LessOrEqual", keys, queries)
            return self._node("Or", within, self._node("Greater", keys, queries))
        return self._node(_COMPARE[mask], keys, queries)

    def _feed_forward(self, prefix: str, stream: str) -> str:
        names = [f"{prefix}.{name}" for name in ("inner", "inner_bias", "outer")]
        inner, bias, outer = (self._constant(name, self.weights[name]) for name in names)
        hidden = self._node("Relu", self._sum(self._node("MatMul", stream, inner), bias))
        return self._sum(stream, self._node("MatMul", hidden, outer))

    def _outputs(self, stream: str) -> None:
        readout = self._constant("readout.weight", _wide(self.weights["readout.weight"][:, None], 0))
        bias = self._constant("readout.bias", self.weights["readout.bias"])
        column = self._sum(self._node("MatMul", stream, readout), bias)
        self._node("Squeeze", column, self._integers(2), name="output")
        self._node("Greater", "output", self._number(0.5), name="value")
        last = -1 if is_past_only(self.transformer.formula) else 0
        at = self._constant("deciding position", np.array(last, dtype=np.int64))
        self._node("Gather", "value", at, name="accepted", axis=1)


def _wide(matrix: NDArray[Any], axis: int) -> NDArray[Any]:
    """The matrix with a coordinate of zeros where there is none, as for a constant formula."""
    if matrix.shape[axis]:
        return matrix
    shape = [max(1, size) for size in matrix.shape]
    return np.zeros(shape, dtype=matrix.dtype)


