"""Values as JSON, and exact comparison.

JSON holds less than NumPy does, so: integers beyond 53 bits are {"int": "..."}, bytes {"hex": "..."}, complex numbers
[re, im], the floats that JSON lacks "nan", "inf" and "-inf", datetimes the integers they are stored as, a record a map of its
fields, an array nested lists.
"""

import ast
import math

import ml_dtypes  # gives np.dtype the names bfloat16, float8_e4m3fn, ...
import numpy as np


def is_ml(dtype):
    """Whether the type comes from ml_dtypes; most of those are of kind V, as plain bytes are."""
    return getattr(ml_dtypes, dtype.name, None) is dtype.type


def is_opaque(dtype):
    return issubclass(dtype.type, np.void) and dtype.names is None


def is_array(value):
    """Whether Dopamine writes the value as an array: np.float64 is a float to MessagePack."""
    return isinstance(value, (np.ndarray, np.bool_, np.number)) and not isinstance(value, float)


# Python to JSON


def int_json(value):
    value = int(value)
    return value if abs(value) < 2**53 else {'int': str(value)}


def float_json(value):
    value = float(value)
    return value if math.isfinite(value) else repr(value)


def array_json(array):
    """The nested lists of an array."""
    if array.ndim:
        return [array_json(array[i, ...]) for i in range(len(array))]
    dtype = array.dtype
    if dtype.names is not None:
        return {name: array_json(array[name]) for name in dtype.names}
    if dtype.kind in 'Mm':
        return int_json(array.astype(dtype.newbyteorder('=')).view(np.int64)[()])
    if is_opaque(dtype):
        return {'hex': array.tobytes().hex()}
    if is_ml(dtype):
        return int_json(array[()]) if 'int' in dtype.name else float_json(array[()])
    if dtype.kind == 'c':
        return [float_json(array[()].real), float_json(array[()].imag)]
    return native_json({'b': bool, 'i': int, 'u': int, 'f': float, 'U': str, 'S': bytes}[dtype.kind](array[()]))


def native_json(value):
    """A value that MessagePack holds as it is, no container."""
    if isinstance(value, bytes):
        return {'hex': value.hex()}
    if isinstance(value, float):
        return float_json(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return int_json(value)
    assert value is None or isinstance(value, (bool, str)), type(value)
    return value


# JSON to Python


def dtype_of(text):
    """A dtype from Python literal text ("'<f4'", "[('a', '<i4')]") or from a bare name ("bfloat16")."""
    try:
        return np.dtype(ast.literal_eval(text))
    except (SyntaxError, ValueError):
        return np.dtype(text)


def array_of(values, dtype, shape):
    out = np.zeros(shape, dtype)
    fill(out, values)
    return out


def fill(out, values):
    dtype = out.dtype
    if out.ndim:
        if not isinstance(values, list) or len(values) != len(out):
            raise ValueError(f'expected a list of {len(out)}, found {values!r:.200}')
        for i, value in enumerate(values):
            fill(out[i, ...], value)
    elif dtype.names is not None:
        if set(values) != set(dtype.names):
            raise ValueError(f'expected the fields {list(dtype.names)}, found {list(values)}')
        for name in dtype.names:
            fill(out[name], values[name])
    elif isinstance(values, dict) and 'hex' in values:
        raw = bytes.fromhex(values['hex'])
        if dtype.kind == 'S':
            out[()] = raw
        else:  # the exact bytes of any other element
            out[()] = np.frombuffer(raw, dtype, count=1)[0]
    elif dtype.kind in 'Mm':
        out.view(dtype.str[0] + 'i8')[()] = value_of(values)
    elif dtype.kind == 'c':
        out[()] = complex(value_of(values[0]), value_of(values[1]))
    elif dtype.kind == 'U':
        out[()] = values
    else:
        out[()] = value_of(values)


def value_of(json):
    """A value that is no array. {"str": "nan"} is the text, {"map": [[key, value], ...]} a map with any keys."""
    if isinstance(json, list):
        return [value_of(item) for item in json]
    if json in ('nan', 'inf', '-inf'):
        return float(json)
    if isinstance(json, dict):
        match json:
            case {'int': text, **rest} if not rest:
                return int(text)
            case {'hex': text, **rest} if not rest:
                return bytes.fromhex(text)
            case {'str': text, **rest} if not rest:
                return text
            case {'map': pairs, **rest} if not rest:
                return {value_of(key): value_of(value) for key, value in pairs}
        return {key: value_of(value) for key, value in json.items()}
    return json


# Comparison


def layout(array):
    return bool(array.flags.c_contiguous), bool(array.flags.f_contiguous)


def signs(array):
    """Where a float, or either part of a complex number, is negative and no NaN."""
    return [np.signbit(part) & ~np.isnan(part) for part in (array.real, array.imag)]


def same_array(actual, expected):
    """The same type, shape and values; NaN equals NaN, -0.0 does not equal 0.0."""
    assert isinstance(actual, np.ndarray), f'expected an array, found {actual!r:.200}'
    assert actual.dtype == expected.dtype, f'dtype {actual.dtype!r}, expected {expected.dtype!r}'
    assert actual.shape == expected.shape, f'shape {actual.shape}, expected {expected.shape}'
    if expected.dtype.names is not None:
        for name in expected.dtype.names:
            same_array(actual[name], expected[name])
        return
    if is_ml(expected.dtype):  # NumPy's comparison does not know these types' NaN
        actual, expected = actual.astype(np.float64), expected.astype(np.float64)
    np.testing.assert_array_equal(actual, expected, strict=True)
    if expected.dtype.kind in 'fc':
        np.testing.assert_array_equal(signs(actual), signs(expected), 'signs differ')


def same(actual, expected, at='value'):
    """The same whole tree: types, key order, layouts and values."""
    if isinstance(expected, np.ndarray):
        try:
            same_array(actual, expected)
        except AssertionError as fault:
            raise AssertionError(f'{at}: {fault}') from None
        assert layout(actual) == layout(expected), f'{at}: contiguity {layout(actual)}, expected {layout(expected)}'
        return
    assert type(actual) is type(expected), f'{at}: {actual!r:.200}, expected {expected!r:.200}'
    if isinstance(expected, dict):
        for found, key in zip(actual, expected):
            assert type(found) is type(key) and found == key, f'{at}: key {found!r}, expected {key!r}'
        assert len(actual) == len(expected), f'{at}: keys {list(actual)}, expected {list(expected)}'
        for key in expected:
            same(actual[key], expected[key], f'{at}[{key!r}]')
    elif isinstance(expected, list):
        assert len(actual) == len(expected), f'{at}: {len(actual)} items, expected {len(expected)}'
        for i, item in enumerate(expected):
            same(actual[i], item, f'{at}[{i}]')
    elif isinstance(expected, float):
        equal = actual == expected and math.copysign(1, actual) == math.copysign(1, expected)
        assert equal or (math.isnan(actual) and math.isnan(expected)), f'{at}: {actual!r}, expected {expected!r}'
    else:
        assert actual == expected, f'{at}: {actual!r:.200}, expected {expected!r:.200}'
