"""Flax and msgpack-numpy as peers of the live tests: `neighbours.py COMMAND DIR`, where COMMAND is `writes` or `reads`.

`writes` saves values with the real packages, and `expected.json` says what they were. `reads` restores every file that
Rust wrote, says in `found.json` what is in it, and saves it again as `FILE.again`.
"""

import copy
import json
import os
import pathlib
import struct
import sys

os.environ.setdefault('JAX_PLATFORMS', 'cpu')  # before JAX is imported

import flax
from flax import serialization
import jax.numpy as jnp
import msgpack
import msgpack_numpy
import numpy as np

import cases
import facts


def dtype_json(dtype):
    """The text that Dopamine's files have for the type: it is what Rust shows of a type from any format."""
    if facts.is_ml(dtype):
        return {'text': repr(dtype.name)}
    return {'text': repr(dtype.descr if dtype.kind == 'V' else dtype.str)}


def float_json(value):
    return {'type': 'float', 'bits': struct.pack('>d', value).hex()}


def describe(value):
    """The value in the words of `tests/data/*/index.json`."""
    if value is None:
        return {'type': 'none'}
    if isinstance(value, (np.ndarray, jnp.ndarray)):
        array = np.asarray(value)
        return {'type': 'ndarray', 'dtype': dtype_json(array.dtype), 'shape': list(array.shape), 'hex': array.tobytes().hex()}
    if isinstance(value, np.generic):
        return {'type': 'npscalar', 'dtype': dtype_json(value.dtype), 'hex': value.tobytes().hex()}
    if isinstance(value, bool):
        return {'type': 'bool', 'value': value}
    if isinstance(value, int):
        return {'type': 'int', 'value': str(value)}
    if isinstance(value, float):
        return float_json(value)
    if isinstance(value, complex):
        return {'type': 'complex', 're': float_json(value.real), 'im': float_json(value.imag)}
    if isinstance(value, str):
        return {'type': 'str', 'value': value}
    if isinstance(value, bytes):
        return {'type': 'bytes', 'hex': value.hex()}
    if isinstance(value, msgpack.ExtType):  # which is a tuple
        return {'type': 'ext', 'code': value.code, 'hex': value.data.hex()}
    if isinstance(value, (list, tuple)):
        return {'type': 'list', 'items': [describe(item) for item in value]}
    if isinstance(value, dict):
        return {'type': 'dict', 'items': [[describe(key), describe(item)] for key, item in value.items()]}
    raise TypeError(type(value))


COMPLEX = [1 + 2j, -1 - 2j, 2j, complex(-0.0, 2), complex(0, -0.0), complex('nan+infj'), complex('-inf+nanj'), 0.1 + 1e300j,
           1e16 + 1e15j, 1.5e-5 + 1e-4j, complex(5e-324, -1.7976931348623157e308), complex(123456789.125, 1 / 3)]
NATIVES = {'none': None, 'true': True, 'floats': [0.0, -0.0, 0.1, 1e300, float('inf')], 'text': 'é' * 40, 'bytes': b'\x00\xff' * 200,
           'ints': [0, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**63, 2**64 - 1, -1, -32, -33, -128, -129, -2**15,
                    -2**15 - 1, -2**31, -2**31 - 1, -2**63],
           'map': {f'k{i}': i for i in range(17)}, 'empty': {}, 'nothing': [], 'nested': [[[]], [{'a': [1]}]],
           'ext': msgpack.ExtType(42, b'xy'), 'long': msgpack.ExtType(0, b'z' * 300)}


def layouts(dtype, seed=5):
    rng = np.random.default_rng(seed)
    for name, make in cases.LAYOUTS.items():
        yield name, make(lambda shape: cases.sample(rng, dtype, shape))


def serialized(value, chunk=2**30, **kwargs):
    serialization.MAX_CHUNK_SIZE = chunk
    try:
        return serialization.msgpack_serialize(value, **kwargs)
    finally:
        serialization.MAX_CHUNK_SIZE = 2**30


def to_bytes(value, chunk=2**30):
    serialization.MAX_CHUNK_SIZE = chunk
    try:
        return serialization.to_bytes(value)
    finally:
        serialization.MAX_CHUNK_SIZE = 2**30


def flax_cases():
    """Yields (name, form, chunk bytes, data, the value as Flax restores it)."""
    little = [dtype for dtype in cases.OTHERS if dtype[1] in 'Mm' and dtype[0] == '<']
    for dtype in cases.NUMBERS + cases.ML + little + ['complex128']:
        for layout, array in layouts(dtype):
            yield f'{dtype}_{layout}', 'serialize', None, serialized(array), np.ascontiguousarray(array).reshape(array.shape)
        scalar = cases.sample(np.random.default_rng(6), dtype, (1,))[0]
        yield f'{dtype}_scalar', 'serialize', None, serialized(scalar), scalar
    for i, number in enumerate(COMPLEX):
        yield f'complex_{i}', 'serialize', None, serialized(number), number
    tree = {'b': [np.arange(3, dtype='f4'), {'z': 1, 'a': (2, np.float32(0.5))}], 'a': NATIVES, 'c': np.arange(6, dtype='i2').reshape(2, 3)}
    for chunk in (2**30, 8, 1):
        data = to_bytes(tree, chunk)
        yield f'tree_to_bytes_{chunk}', 'to_bytes', chunk, data, serialization.to_state_dict(tree)
        lists = {'b': [np.arange(3, dtype='f4'), {'z': 1, 'a': [2]}], 'a': {'y': np.arange(40.0), 'x': NATIVES['ints']}}
        ordered = {'a': {'x': NATIVES['ints'], 'y': np.arange(40.0)}, 'b': [lists['b'][0], {'a': [2], 'z': 1}]}
        yield f'lists_{chunk}', 'serialize', chunk, serialized(lists, chunk), ordered
        yield f'lists_in_place_{chunk}', 'in_place', chunk, serialized(copy.deepcopy(lists), chunk, in_place=True), lists
    yield 'int_keys', 'in_place', None, serialized({1: 2, -5: [3], 2**40: None}, in_place=True), {1: 2, -5: [3], 2**40: None}


def numpy_cases():
    """Yields (name, raw, data, the value that was packed)."""
    def pack(value):
        return msgpack_numpy.packb(value)

    voids = [dtype for dtype in cases.OTHERS if dtype[1] not in 'Mm']
    for dtype in cases.NUMBERS + cases.BIG_ENDIAN + cases.LONG + voids:
        for layout, array in layouts(dtype):
            yield f'{dtype}_{layout}', False, pack(array), array
    for name, dtype in cases.RECORDS.items():
        if name not in ('titles', 'datetimes'):
            for layout, array in layouts(dtype):
                # A copy of an aligned record has anything for padding.
                if not name.startswith('aligned') or array.flags.c_contiguous:
                    yield f'record_{name}_{layout}', False, pack(array), array
    for dtype in ('<M8[ns]', '>M8[D]', '<m8[25s]'):
        array = cases.sample(np.random.default_rng(7), dtype, (6,))[::2]
        yield f'{dtype}_strided', False, pack(array), array
    for dtype in cases.NUMBERS + ['longdouble']:
        scalar = cases.sample(np.random.default_rng(6), dtype, (1,))[0]
        if not isinstance(scalar, (float, complex)):
            yield f'{dtype}_scalar', False, pack(scalar), scalar
    yield 'timedelta_scalar', False, pack(np.timedelta64(5, 'ms')), np.timedelta64(5, 'ms')
    for i, number in enumerate(COMPLEX):
        yield f'complex_{i}', False, pack(number), number
    tree = {'a': np.arange(6.0).reshape(2, 3).T, 'b': [np.float32(1.5), 2j, {'c': np.zeros(2, cases.RECORDS['nested'])}], 'n': NATIVES}
    yield 'tree', False, pack(tree), tree

    def old(value):
        return msgpack.packb(value, default=msgpack_numpy.encode, use_bin_type=False)

    rng = np.random.default_rng(8)
    for dtype in ('<f4', '>i8', '|b1', cases.RECORDS['packed'], cases.RECORDS['sub_array']):
        for shape in ((), (3,), (40, 2), (300, 100)):
            array = cases.sample(rng, dtype, shape)
            yield f'old_{np.dtype(dtype).str}_{shape}', True, old(array), array
    tree = {'a': np.arange(3), 'b': [np.int16(-5), 1 + 2j, b'bytes', b'x' * 40, b'y' * 300, b'z' * 70000, None, 1.5], 'k' * 40: {}}
    yield 'old_tree', True, old(tree), tree


def writes(directory):
    files = []
    flax_files = [('flax', {'form': form, 'chunk': chunk}, name, data, value) for name, form, chunk, data, value in flax_cases()]
    numpy_files = [('msgpack_numpy', {'raw': raw}, name, data, value) for name, raw, data, value in numpy_cases()]
    for kind, options, name, data, value in flax_files + numpy_files:
        file = f'{len(files)}.{kind}'
        (directory / file).write_bytes(data)
        files.append({'name': name, 'file': file, 'format': kind, **options, 'value': describe(value)})
    (directory / 'expected.json').write_text(json.dumps(files))
    print(f'{len(files)} values written')


@flax.struct.dataclass
class TrainState:
    params: dict
    opt_state: tuple
    history: list
    step: int


def restores_a_state(data):
    """Restores the state that a Rust struct was, into a state of the same shape."""
    zeros = {'kernel': np.zeros((2, 3), np.float32), 'bias': np.zeros(3, np.float32)}
    target = TrainState({'layers': [zeros, zeros]}, (np.zeros(3, np.float64), None), [0.0, 0.0, 0.0], 0)
    state = serialization.from_bytes(target, data)
    assert isinstance(state.opt_state, tuple) and isinstance(state.history, list)
    assert state.step == 7 and state.history == [0.5, 0.25, 0.125]
    for n, layer in enumerate(state.params['layers']):
        np.testing.assert_array_equal(layer['kernel'], n * 10 + np.arange(6, dtype=np.float32).reshape(2, 3))
        assert layer['kernel'].dtype == np.float32
        np.testing.assert_array_equal(layer['bias'], np.full(3, n, np.float32))
    np.testing.assert_array_equal(state.opt_state[0], [1.0, 2.0, 3.0])
    assert state.opt_state[1] is None
    assert serialization.to_bytes(state) == data, 'Flax writes the state to other bytes'


def reads(directory):
    found = {}
    for path in sorted(directory.iterdir()):
        data = path.read_bytes()
        if path.suffix == '.flax_state':
            restores_a_state(data)
        elif path.suffix == '.flax':
            value = serialization.msgpack_restore(data)
            found[path.name] = describe(value)
            (directory / f'{path.name}.again').write_bytes(serialized(value, in_place=True))
        elif path.suffix == '.msgpack_numpy':
            value = msgpack_numpy.unpackb(data, strict_map_key=False)
            found[path.name] = describe(value)
            try:
                again = msgpack_numpy.packb(value)
            except ValueError:  # times that lie in one piece, which it reads and does not write
                again = data
            (directory / f'{path.name}.again').write_bytes(again)
    (directory / 'found.json').write_text(json.dumps(found))
    print(f'{len(found)} values read')


if __name__ == '__main__':
    {'writes': writes, 'reads': reads}[sys.argv[1]](pathlib.Path(sys.argv[2]))
