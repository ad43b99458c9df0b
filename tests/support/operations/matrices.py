"""Calls of linear algebra: decompositions, solvers, diagonals, Fourier transforms."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from support.operations.values import Recipe, c, f, i, square

RECIPES: dict[str, Recipe] = {
    "BandedTriangularSolve": lambda: {"matrix": f(2, 2), "rhs": f(2, 2)},
    "BatchMatMulV3": lambda: {"x": f(2, 2, 3), "y": f(2, 3, 2), "Tout": tf.float32},
    "Cholesky": lambda: {"input": square()},
    "ConjugateTranspose": lambda: {"x": f(2, 3), "perm": i(1, 0)},
    "Cross": lambda: {"a": f(3), "b": f(3)},
    "Eig": lambda: {"input": tf.cast(square(), tf.complex64), "Tout": tf.complex64},
    "Einsum": lambda: {"inputs": [f(2, 3), f(3, 2)], "equation": "ij,jk->ik"},
    "FFT3D": lambda: {"input": c(2, 2, 2)},
    "FFTND": lambda: {"input": c(2, 2), "fft_length": i(2, 2), "axes": i(0, 1)},
    "IFFT3D": lambda: {"input": c(2, 2, 2)},
    "IFFTND": lambda: {"input": c(2, 2), "fft_length": i(2, 2), "axes": i(0, 1)},
    "IRFFT": lambda: {"input": c(2, 3), "fft_length": i([4])},
    "IRFFT2D": lambda: {"input": c(4, 3), "fft_length": i(4, 4)},
    "IRFFT3D": lambda: {"input": c(2, 2, 2), "fft_length": i(2, 2, 2)},
    "LogMatrixDeterminant": lambda: {"input": square()},
    "MatrixDeterminant": lambda: {"input": square()},
    "MatrixDiagPartV2": lambda: {"input": f(3, 3), "k": i(0), "padding_value": f()},
    "MatrixDiagPartV3": lambda: {"input": f(3, 3), "k": i(0), "padding_value": f()},
    "MatrixDiagV2": lambda: _matrix_diag(),
    "MatrixDiagV3": lambda: _matrix_diag(),
    "MatrixExponential": lambda: {"input": f(2, 2)},
    "MatrixInverse": lambda: {"input": square()},
    "MatrixSetDiag": lambda: {"input": f(2, 2), "diagonal": f(2)},
    "MatrixSetDiagV2": lambda: {"input": f(2, 2), "diagonal": f(2), "k": i(0)},
    "MatrixSetDiagV3": lambda: {"input": f(2, 2), "diagonal": f(2), "k": i(0)},
    "MatrixSolve": lambda: {"matrix": square(), "rhs": f(2, 1)},
    "MatrixSolveLs": lambda: {"matrix": square(), "rhs": f(2, 1), "l2_regularizer": tf.constant(0.1, tf.float64)},
    "MatrixSquareRoot": lambda: {"input": square()},
    "MatrixTriangularSolve": lambda: {"matrix": square(), "rhs": f(2, 1)},
    "Qr": lambda: {"input": f(2, 2)},
    "RFFT": lambda: {"input": f(4), "fft_length": i([4])},
    "RFFT2D": lambda: {"input": f(4, 4), "fft_length": i(4, 4)},
    "RFFT3D": lambda: {"input": f(2, 2, 2), "fft_length": i(2, 2, 2)},
    "SelfAdjointEigV2": lambda: {"input": square()},
    "Svd": lambda: {"input": square()},
    "TridiagonalMatMul": lambda: {"superdiag": f(1, 3), "maindiag": f(1, 3), "subdiag": f(1, 3), "rhs": f(3, 2)},
    "TridiagonalSolve": lambda: {"diagonals": tf.add(f(3, 3), [[0.0], [3.0], [0.0]]), "rhs": f(3, 1)},
}


def _matrix_diag() -> dict[str, Any]:
    return {"diagonal": f(3), "k": i(0), "num_rows": i(-1), "num_cols": i(-1), "padding_value": f()}
