"""The states that `live.py python_writes` saves: every array type in every layout, and what surrounds arrays."""

from dopamine.jax.replay_memory import elements
import numpy as np
import snappy

from facts import is_ml, is_opaque

NUMBERS = ['|b1', '|i1', '|u1'] + ['<' + t for t in 'i2 i4 i8 u2 u4 u8 f2 f4 f8 c8 c16'.split()]
BIG_ENDIAN = ['>' + t[1:] for t in NUMBERS if t[0] == '<']
LONG = ['longdouble', 'clongdouble']
ML = """bfloat16 float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz
    float8_e8m0fnu float6_e2m3fn float6_e3m2fn float4_e2m1fn int4 uint4 int2 uint2""".split()
OTHERS = ['<U3', '>U2', '|S3', '|V4', '<M8[D]', '<M8[ns]', '>M8[25us]', '<m8[s]', '<m8[25ms]', '<m8']
RECORDS = {
    'packed': [('flag', '?'), ('small', 'i1'), ('count', '<i4'), ('weight', '<f8'), ('name', '<U2'), ('tag', 'S3')],
    'aligned': np.dtype([('a', 'i1'), ('b', '<f8'), ('c', '<i2')], align=True),
    'aligned_nested': np.dtype([('k', 'u1'), ('p', np.dtype([('x', 'i1'), ('y', '<i4')], align=True))], align=True),
    'nested': [('p', [('x', '<f4'), ('q', [('y', '<i2'), ('z', '<u8')])]), ('w', '<c8')],
    'sub_array': [('m', 'u1', (2, 3)), ('v', '<f4', (2,)), ('one', '<i4', (1,)), ('none', '<i4', (0,)),
                  ('rows', [('x', '<i2'), ('y', '>f4')], (2,))],
    'titles': [(('A title', 'n'), '<i4'), (("it's", 'm'), '<f4')],
    'quotes': [("a'b", '<i4'), ('é "c"\\', '<i2'), ('both \' and "', 'u1'), ('tab\tline\n\x01', 'i1'), ('', 'i1')],
    'big_endian': [('a', '>i4'), ('b', '>f8'), ('c', '<u2')],
    'datetimes': [('t', '<M8[s]'), ('d', '<m8[ms]'), ('e', '>M8[D]')],
    'opaque': [('raw', 'V3'), ('n', '<i2')],
    'halves': [('h', '<f2'), ('c', '<c16')],
}
LAYOUTS = {
    'c': lambda make: make((2, 3)),
    'f': lambda make: np.asfortranarray(make((2, 3))),
    'f_3d': lambda make: np.asfortranarray(make((2, 3, 2))),
    'neither': lambda make: make((2, 3, 2)).transpose(1, 0, 2),
    'strided': lambda make: make((4, 6))[::2, 1::2],
    'negative': lambda make: make((3, 2))[::-1, ::-1],
    'one_d': lambda make: make((5,)),
    'zero_d': lambda make: make(()),
    'empty': lambda make: make((0, 3)),
    'column': lambda make: make((4, 1)),
}


def sample(rng, dtype, shape):
    """Values of any type; all of them survive JSON."""
    dtype = np.dtype(dtype)
    out = np.zeros(shape, dtype)
    if dtype.names is not None:
        for name in dtype.names:
            field = dtype.fields[name][0]
            out[name] = sample(rng, field.base, out.shape + field.shape)
    elif is_ml(dtype):
        out[...] = np.asarray(2.0 ** rng.integers(-1, 2, shape)).astype(int if 'int' in dtype.name else float).astype(dtype)
    elif is_opaque(dtype):
        for i in np.ndindex(out.shape):
            out[i] = np.void(rng.bytes(dtype.itemsize))
    elif dtype.kind in 'Mm':
        out[...] = rng.integers(-10**6, 10**6, shape).astype(dtype)
    elif dtype.kind in 'iu':
        info = np.iinfo(dtype)
        out[...] = rng.integers(info.min, info.max, shape, dtype.newbyteorder('='), endpoint=True)
    elif dtype.kind == 'b':
        out[...] = rng.integers(0, 2, shape)
    elif dtype.kind in 'fc':
        out[...] = rng.integers(-400, 400, shape) / 4
        if dtype.kind == 'c':
            out[...] += 1j * rng.integers(-400, 400, shape) / 8
    else:
        texts = ['', 'a', 'ab', 'a b', 'xyz'] + (['é', '漢\U0001f600', "'"] if dtype.kind == 'U' else [])
        out[...] = rng.choice(np.array(texts), shape).astype(dtype)
    return out


def extremes(dtype):
    dtype = np.dtype(dtype)
    if dtype.kind in 'iu':
        info = np.iinfo(dtype)
        return np.array(sorted({info.min, info.min + 1, 0, 1, info.max - 1, info.max}), dtype)
    info = np.finfo(dtype)
    floats = [np.nan, np.inf, -np.inf, 0.0, -0.0, info.smallest_subnormal, -info.tiny, info.max, info.min, 1 + info.eps]
    if dtype.kind == 'c':
        return np.array([complex(re, im) for re in floats for im in (1.5, -0.0, np.nan, -np.inf)], dtype)
    return np.array(floats, dtype)


def integers():
    edges = {0, 10**4299}
    for bits in (5, 7, 8, 15, 16, 31, 32, 53, 63, 64, 65, 127, 128, 300):
        edges |= {2**bits - 1, 2**bits, 2**bits + 1}
    return sorted(edges | {-edge for edge in edges})


def natives():
    sizes = (0, 1, 31, 32, 255, 256, 65535, 65536)
    return {
        'none': None, 'true': True, 'false': False,
        'floats': [0.0, -0.0, 0.1, 1e300, 5e-324, float('nan'), float('inf'), float('-inf')],
        'texts': ['é' * (size // 2) + 'x' * (size % 2) for size in sizes],
        'bytes': [bytes(i % 256 for i in range(size)) for size in sizes],
        'lists': [list(range(size)) for size in (0, 15, 16)] + [[[], [[]], [[1], 2]]],
        'maps': [{f'k{i}': i for i in range(size)} for size in (0, 15, 16)],
        'int_keys': {0: 'zero', -1: 'minus one', 2**40: 'large', 'text': 'text'},
        'float64': np.float64(2.5), 'str_': np.str_('text'), 'bytes_': np.bytes_(b'bytes'), 'tuple': (1, (2, 3)),
    }


def compress(array):
    """The record of `elements.compress`, also for a 0-d array, which Snappy's binding refuses as it stands."""
    if array.ndim:
        return elements.compress(array)
    data = np.frombuffer(snappy.compress(array.tobytes()), np.uint8)
    text = array.dtype.str
    return np.array((data, (), text), [('data', 'u1', data.shape), ('shape', 'i4', (0,)), ('dtype', f'S{len(text)}')])


def compressed(rng):
    for dtype in NUMBERS + BIG_ENDIAN:
        for shape in ((), (0, 3), (5,), (4, 4, 2)):
            yield f'compressed_{dtype}_{shape}', sample(rng, dtype, shape)
    frames = sample(rng, '|u1', (12, 12, 4))
    yield 'compressed_f_order', np.asfortranarray(frames)
    yield 'compressed_strided', frames[::2, ::-1]
    yield 'compressed_repetitive', np.zeros((20, 20, 4), np.uint8)


def training_state(rng):
    """A whole run: every kind of thing in one tree."""
    layers = [{'kernel': sample(rng, '<f4', (3, 4)), 'bias': sample(rng, '<f4', (4,))} for _ in range(2)]
    moments = [{key: np.asfortranarray(value * 2) for key, value in layer.items()} for layer in layers]
    return {
        'agent': {'params': {'layers': layers, 'a.b': sample(rng, '<f8', ()), 'half': sample(rng, 'bfloat16', (2, 2))}},
        'optimizer': (moments, {'count': np.int32(7), 'scale': np.float32(0.5)}),
        'frames': [elements.compress(sample(rng, '|u1', (4, 4))) for _ in range(3)],
        'transitions': sample(rng, RECORDS['packed'], (4,)),
        'rng': np.random.default_rng(3).bit_generator.state,
        'index_by_key': {10: 0, 11: 1, 2**33: 2},
        'schedule': {'learning_rate': 1e-3, 'warm': True, 'name': 'cosine', 'note': None},
        'step': 2**40, 'seed': 2**70, 'fingerprint': b'\x00\xff', 'empty': {}, 'nothing': [],
    }


def cases():
    """Yields (name, state); a state is what one file holds."""
    rng = np.random.default_rng(20)
    types = {t: t for t in NUMBERS + BIG_ENDIAN + LONG + ML + OTHERS} | {f'record_{n}': d for n, d in RECORDS.items()}
    for type_name, dtype in types.items():
        for layout_name, make in LAYOUTS.items():
            yield f'{type_name}_{layout_name}', {'x': make(lambda shape: sample(rng, dtype, shape))}
    for dtype in NUMBERS[1:] + BIG_ENDIAN:
        yield f'{dtype}_extremes', {'x': extremes(dtype)}
    for dtype in ('<M8[ns]', '>M8[D]', '<m8[s]'):
        yield f'{dtype}_extremes', {'x': np.array([-2**63, -2**63 + 1, -1, 0, 2**63 - 1], 'i8').astype(dtype)}
    for scalar in (np.bool_(True), np.int8(-3), np.uint64(2**64 - 1), np.float16(0.5), np.float32(1.5), np.complex64(1 - 2j),
                   np.complex128(3j), np.longdouble(1.25)):
        yield f'scalar_{type(scalar).__name__}', {'x': scalar}
    for name, array in compressed(rng):
        yield name, {'x': compress(array)}
    yield 'integers', {'x': integers()}
    yield 'natives', natives()
    yield 'training_state', training_state(rng)
    yield 'top_array', sample(rng, '<f4', (2, 3))
    yield 'top_list', [sample(rng, '<f4', (n,)) for n in range(3)]
    yield 'top_integer', 2**64
