"""The Python side of the live tests: `live.py COMMAND DIR`, where COMMAND is one of the functions at the end."""

import importlib.metadata
import json
import logging
import os
import pathlib
import sys

os.environ.setdefault('JAX_PLATFORMS', 'cpu')  # before JAX is imported

from dopamine.jax import serialization
from dopamine.jax.replay_memory import elements
import numpy as np

import arrays
import cases
import facts
import files
import recorded
import replay


def write_json(path, value):
    path.write_text(json.dumps(value, allow_nan=False, indent=1))


def leaves(value, path=()):
    """Yields (path, leaf); an empty container is a leaf."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, (list, tuple)) and value:
        for i, item in enumerate(value):
            yield from leaves(item, (*path, i))
    else:
        yield path, value


def walk(value, path):
    for part in path:
        value = value[part]
    return value


def dotted(path):
    return '.'.join(map(str, path)) or '(top)'


def fact(value):
    """What the file says of a leaf, and what the leaf was."""
    if isinstance(value, (dict, list, tuple)):
        return {'values': value}
    if not facts.is_array(value):
        return {'values': facts.native_json(value)}
    array = np.asarray(value)
    wire = serialization.encode(value)
    entry = {'wire_dtype': wire['dtype'], 'shape': list(wire['shape']), 'wire_order': wire.get('order'),
             'values': facts.array_json(array)}
    if facts.is_ml(array.dtype):
        entry['type'] = array.dtype.name
    try:
        decoded = facts.array_json(serialization.decode(wire))
        if decoded != entry['values']:
            entry['dopamine_decodes_to'] = decoded
    except (TypeError, ValueError) as error:
        entry['dopamine_refuses'] = f'{type(error).__name__}: {error}'
    if array.dtype.names == ('data', 'shape', 'dtype'):
        plain = elements.uncompress(array)
        entry |= {'uncompressed_dtype': plain.dtype.str, 'uncompressed_shape': list(plain.shape),
                  'uncompressed_values': facts.array_json(plain)}
    return entry


def check(directory, entry):
    """One entry of a manifest; an AssertionError says what differs."""
    data = (directory / entry['file']).read_bytes()
    actual = walk(replay.unpack(data), entry['path'])
    if 'scalar' in entry:
        return facts.same(actual, facts.value_of(entry['scalar']))
    if entry.get('compressed'):
        actual = elements.uncompress(actual)
    else:
        label = walk(replay.unpack(data, hook=None), entry['path']).get('order')
        assert label == entry['order'], f"the file's order is {label!r}, expected {entry['order']!r}"
    facts.same_array(actual, facts.array_of(entry['values'], facts.dtype_of(entry['dtype']), entry['shape']))
    contiguous = facts.layout(actual)
    if entry['order'] is None:
        assert contiguous[0], 'not C-contiguous'
    else:
        stated = (entry['order'] == 'C', entry['order'] == 'F')
        assert contiguous == stated, f'C and F contiguity {contiguous}, expected {stated}'


def failed(name, error):
    lines = ' | '.join(line.strip() for line in str(error).splitlines() if line.strip())
    print(f'FAILED {name}: {type(error).__name__}: {lines}')


# The commands. Each returns how many of its checks failed.


def python_writes(directory):
    """Saves states as Dopamine does, one file each, and expected.json, which says what the files hold."""
    vectors = []
    for number, (name, state) in enumerate(cases.cases()):
        file = f'{number:04}.msgpack'
        (directory / file).write_bytes(replay.pack(state))
        for path, value in leaves(state):
            vectors.append({'name': name, 'file': file, 'path': list(path), **fact(value)})
    made_with = {p: importlib.metadata.version(p) for p in ('dopamine-rl', 'msgpack', 'numpy', 'ml_dtypes', 'python-snappy')}
    write_json(directory / 'expected.json', {'made_with': made_with, 'vectors': vectors})
    print(f'{len(vectors)} values written in {number + 1} files')
    return 0


def check_rust(directory):
    """Restores what manifest.json names with Dopamine's decoder and compares it with what the manifest says."""
    manifest = json.loads((directory / 'manifest.json').read_text())
    count = 0
    for entry in manifest:
        try:
            check(directory, entry)
        except Exception as error:  # whatever stops an entry from being read is that entry's failure
            count += 1
            failed(f"{entry.get('file')} {dotted(entry.get('path', ()))}", error)
    print(f'{len(manifest)} checked, {count} failed')
    return count


def check_mapped(directory):
    """Uses the payloads of each file where they are in a map of it: aligned, and what Dopamine decodes."""
    count = failures = 0
    for path in sorted(directory.glob('*.msgpack')):
        tree = replay.unpack(path.read_bytes(), hook=None)
        for place, view, wire in files.views(path, tree):
            count += 1
            try:
                facts.same_array(view, serialization.decode(wire))
                assert view.flags.aligned, 'not aligned'
                assert not view.size or view.ctypes.data % 64 == 0, f'at {view.ctypes.data % 64} modulo 64'
                assert 'pad' == next(iter(wire)), f'the first key is {next(iter(wire))}'
            except Exception as error:  # as in check_rust
                failures += 1
                failed(f'{path.name} {dotted(place)}', error)
    print(f'{count} mapped, {failures} failed')
    return failures or count < 900


def check_chunks(directory):
    """As check_rust, of files whose arrays are in chunks."""
    manifest = json.loads((directory / 'manifest.json').read_text())
    count = failures = 0
    for entry in manifest:
        try:
            tree = replay.unpack((directory / entry['file']).read_bytes())
            if not files.is_chunks(walk(tree, entry['path'])):
                continue
            count += 1
            actual = walk(files.joined(tree), entry['path'])
            expected = facts.array_of(entry['values'], facts.dtype_of(entry['dtype']), entry['shape'])
            facts.same_array(actual, expected)
        except Exception as error:  # as in check_rust
            failures += 1
            failed(f"{entry.get('file')} {dotted(entry.get('path', ()))}", error)
    print(f'{count} joined, {failures} failed')
    return failures or count < 250


def replay_build(directory):
    """Saves a replay buffer of each kind as KIND/python.msgpack, and in KIND/expected_keys.json what it will draw."""
    for kind in replay.KINDS:
        (directory / kind).mkdir(exist_ok=True)
        data = replay.build(kind)
        (directory / kind / 'python.msgpack').write_bytes(data)
        write_json(directory / kind / 'expected_keys.json', replay.future(kind, data))
    print(f"built {', '.join(replay.KINDS)}")
    return 0


def replay_continue(directory):
    """Restores KIND/rust.msgpack, and compares its state, its memory and what it draws with what Python saved."""
    checks = {
        'state': lambda kind, ours, theirs: facts.same(replay.unpack(theirs), replay.unpack(ours)),
        'memory': lambda kind, ours, theirs: facts.same(replay.memory(kind, theirs), replay.memory(kind, ours)),
        'keys': lambda kind, ours, theirs: facts.same(
            replay.future(kind, theirs), json.loads((directory / kind / 'expected_keys.json').read_text())),
    }
    count = 0
    for kind in replay.KINDS:
        ours, theirs = ((directory / kind / f'{who}.msgpack').read_bytes() for who in ('python', 'rust'))
        for name, run in checks.items():
            try:
                run(kind, ours, theirs)
            except Exception as error:  # as in check_rust
                count += 1
                failed(f'{kind} {name}', error)
    print(f'{len(replay.KINDS) * len(checks)} checked, {count} failed')
    return count


def replay_go_on(directory):
    """Goes on with every file of a buffer, and compares each result with what was recorded."""
    logging.disable(logging.WARNING)
    compared, count, paths = 0, 0, sorted(directory.glob('*.msgpack'))
    for path in paths:
        try:
            compared += recorded.go_on(path)
        except Exception as error:  # as in check_rust
            count += 1
            failed(path.name, error)
    print(f'{len(paths)} files, {compared} results as recorded, {count} failed')
    return count


def arrays_write(directory):
    """Writes files of arrays with NumPy and safetensors, and indices that say what they hold."""
    print(f'{arrays.write(directory)} arrays written')
    return 0


def arrays_check(directory):
    """Reads the files that manifest.json lists with NumPy and safetensors, and compares them with what it says."""
    faults, count = arrays.check(directory)
    for file, error in faults:
        failed(file, error)
    print(f'{count} arrays checked, {len(faults)} files failed')
    return len(faults) or count < 200


COMMANDS = {f.__name__: f for f in (
    python_writes, check_rust, check_mapped, check_chunks, replay_build, replay_continue, replay_go_on,
    arrays_write, arrays_check)}

if __name__ == '__main__':
    if len(sys.argv) != 3 or sys.argv[1] not in COMMANDS:
        sys.exit(f"usage: live.py {'|'.join(COMMANDS)} DIR")
    sys.exit(COMMANDS[sys.argv[1]](pathlib.Path(sys.argv[2])) > 0)
