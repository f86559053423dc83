"""Files of arrays by NumPy and safetensors themselves, and an index of what they hold.

`arrays.py DIR` writes `npy`, `npz` and `safetensors` below DIR, with an index.json in each; tests/data has been made so.
"""

import importlib.metadata
import json
import pathlib
import sys

import ml_dtypes
import numpy as np
import safetensors.numpy

import cases
import facts

FLOATS_8 = [t for t in cases.ML if t.startswith('float8')]
SAFE = ['|b1', '|i1', '|u1'] + ['<' + t for t in 'i2 u2 f2 i4 u4 f4 c8 f8 i8 u8'.split()]
SAFE_ML = ['bfloat16', 'float8_e4m3fn', 'float8_e5m2', 'float8_e8m0fnu', 'float8_e4m3fnuz', 'float8_e5m2fnuz']


def dtype_of(name):
    return np.dtype(getattr(ml_dtypes, name)) if hasattr(ml_dtypes, name) else np.dtype(name)


def without_padding(array):
    """NumPy reads padded rows field by field; between the fields is what memory held before."""
    if array.dtype.names is None:
        return array
    out = np.zeros(array.shape, array.dtype)
    for name in array.dtype.names:
        out[name] = without_padding(array[name])
    return out


def stated(array, kept=True):
    """What the file says of an array: the bytes are those of its rows, whatever its order."""
    dtype = array.dtype
    if facts.is_ml(dtype):
        text = repr(dtype.descr if not kept and dtype.kind == 'V' else dtype.name)
    else:
        text = repr(dtype.str if dtype.names is None and not facts.is_opaque(dtype) else dtype.descr)
    c, f = facts.layout(array)
    order = None if c and f else 'F' if f else 'C'  # what is neither is written by rows
    return {'dtype': text, 'shape': list(array.shape), 'order': order, 'rows': without_padding(array).tobytes('C').hex()}


def everything(rng):
    """Arrays that NumPy's own files hold, by name."""
    arrays = {}
    for name in cases.NUMBERS + cases.BIG_ENDIAN + cases.LONG + cases.OTHERS:
        arrays[f'type {name}'] = cases.sample(rng, name, (2,))
    for name in cases.ML:
        if name != 'float8_e5m2':  # NumPy writes it and cannot read it
            arrays[f'type {name}'] = cases.sample(rng, dtype_of(name), (2,))
    for name, dtype in cases.RECORDS.items():
        arrays[f'record {name}'] = cases.sample(rng, dtype, (2,))
    for name, layout in cases.LAYOUTS.items():
        arrays[f'layout {name}'] = layout(lambda shape: cases.sample(rng, '<i2', shape))
    zeroed = arrays['type longdouble'], arrays['type clongdouble']
    for array in zeroed:  # the bytes behind the values are whatever memory held
        array.view(np.uint8).reshape(-1, 16)[:, 10:] = 0
    return arrays


def names(rng):
    """Names that other programs would take for places."""
    texts = ['a', 'é', '../up', '/abs', 'dir/x', '', ' ', 'a.b', '😀' * 3, 'con', "q'\""]
    return {text: np.full((), number, 'u1') for number, text in enumerate(texts)}


def saves(rng):
    """Yields (file, function that writes it, what it holds)."""
    arrays = everything(rng)
    for name in ('type <f4', 'type >i2', 'type bfloat16', 'type <U3', 'record aligned', 'layout f', 'layout zero_d', 'layout empty'):
        array = arrays[name]
        file = name.split()[1].strip('<>')
        yield f'npy/{file}.npy', lambda path, array=array: np.save(path, array), {'': array}, False
    yield 'npz/everything.npz', lambda path: np.savez(path, **arrays), arrays, False
    yield 'npz/names.npz', lambda path: np.savez(path, **names(rng)), names(rng), False
    yield 'npz/empty.npz', lambda path: np.savez(path), {}, False
    some = {'zeros': np.zeros((40, 50), '<f4'), 'few': np.arange(3), 'fortran': arrays['layout f'], 'none': np.zeros((0, 3))}
    yield 'npz/compressed.npz', lambda path: np.savez_compressed(path, **some), some, False
    plain = {f'type {name}': cases.sample(rng, dtype_of(name), (2, 3)) for name in SAFE + SAFE_ML}
    shapes = {'z': (), 'empty': (0, 3), 'one': (1,), 'é"\\\n': (2, 1), 'fc.0.weight': (3, 2)}
    plain |= {name: cases.sample(rng, '<f4', shape) for name, shape in shapes.items()}
    for name, state, texts in (('everything', plain, None), ('metadata', {'w': np.ones(2, '<f4')}, {'format': 'pt'}),
                               ('texts', {}, {'é': '"\n'}), ('empty', {}, None)):
        yield (f'safetensors/{name}.safetensors',
               lambda path, state=state, texts=texts: safetensors.numpy.save_file(state, path, texts),
               state, True, texts)


def write(directory):
    """Writes the files and the indices; returns how many arrays there are."""
    packages = ('numpy', 'ml_dtypes', 'safetensors')
    made_with = {package: importlib.metadata.version(package) for package in packages}
    indices, count = {}, 0
    for file, save, arrays, kept, *texts in saves(np.random.default_rng(0)):
        folder, name = file.split('/')
        (directory / folder).mkdir(exist_ok=True)
        save(directory / file)
        entry = {'file': name, 'arrays': [{'name': key} | stated(array, kept) for key, array in arrays.items()]}
        if texts:
            entry['metadata'] = texts[0]
        indices.setdefault(folder, []).append(entry)
        count += len(arrays)
    for folder, entries in indices.items():
        index = {'made_with': made_with, 'files': entries}
        (directory / folder / 'index.json').write_text(json.dumps(index, indent=1) + '\n')
    return count


def restored(path):
    """What the real reader gives of a file, by name."""
    match path.suffix:
        case '.npy':
            return {'': np.load(path)}
        case '.npz':
            with np.load(path) as archive:
                return {name: archive[name] for name in archive.files}
    # What safetensors.numpy.load does, with the types that it does not know.
    with safetensors.safe_open(path, 'np') as file:
        known = {name: file.get_slice(name).get_dtype() for name in file.keys()}
    types = {'BF16': 'bfloat16', 'F8_E4M3': 'float8_e4m3fn', 'F8_E5M2': 'float8_e5m2', 'F8_E8M0': 'float8_e8m0fnu',
             'F8_E4M3FNUZ': 'float8_e4m3fnuz', 'F8_E5M2FNUZ': 'float8_e5m2fnuz'}
    out = {}
    for name, view in safetensors.deserialize(path.read_bytes()):
        kind = known[name]
        dtype = dtype_of(types[kind]) if kind in types else safetensors.numpy._TYPES[kind]
        out[name] = np.frombuffer(view['data'], dtype).reshape(view['shape'])
    return out


def check(directory):
    """Compares the files that manifest.json lists with what it says of them; returns the faults and how many arrays there are."""
    faults, count = [], 0
    for entry in json.loads((directory / 'manifest.json').read_text()):
        path = directory / entry['file']
        kept = path.suffix == '.safetensors'
        try:
            arrays = restored(path)
            expected = {array.pop('name'): array for array in entry['arrays']}
            assert set(arrays) == set(expected), f'names {sorted(arrays)}, expected {sorted(expected)}'
            for name, array in arrays.items():
                count += 1
                found = stated(array, kept)
                assert found == expected[name], f'{name!r}: {found}, expected {expected[name]}'
            if kept:
                with safetensors.safe_open(path, 'np') as file:
                    assert file.metadata() == entry['metadata'], f"{file.metadata()}, expected {entry['metadata']}"
            if 'same_as' in entry:
                assert path.read_bytes() == (directory / entry['same_as']).read_bytes(), f"not the bytes of {entry['same_as']}"
        except Exception as error:  # whatever stops a file from being read is that file's failure
            faults.append((entry['file'], error))
    return faults, count


if __name__ == '__main__':
    print(f'{write(pathlib.Path(sys.argv[1]))} arrays')
