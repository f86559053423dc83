"""Files as they lie on the disk: where payloads are, and arrays in chunks."""

import mmap

from dopamine.jax import serialization
import msgpack
import numpy as np


def payloads(data):
    """Yields (path, offset) of every byte string under a key `data`."""
    unpacker = msgpack.Unpacker(raw=False, strict_map_key=False, max_buffer_size=0)
    unpacker.feed(data)

    def walk(path):
        at = unpacker.tell()
        head = data[at]
        if 0x80 <= head <= 0x8f or head in (0xde, 0xdf):
            for _ in range(unpacker.read_map_header()):
                yield from walk((*path, unpacker.unpack()))
        elif 0x90 <= head <= 0x9f or head in (0xdc, 0xdd):
            for i in range(unpacker.read_array_header()):
                yield from walk((*path, i))
        else:
            unpacker.skip()
            if path and path[-1] == 'data' and head in (0xc4, 0xc5, 0xc6):
                yield path, at + {0xc4: 2, 0xc5: 3, 0xc6: 5}[head]

    return walk(())


def views(path, tree):
    """Yields (path, view, wire form) of every array of a file, the view being on a map of the file."""
    with open(path, 'rb') as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    for (*place, _), offset in payloads(mapped[:]):
        wire = tree
        for part in place:
            wire = wire[part]
        if not {'shape', 'dtype'} <= wire.keys():
            continue
        dtype = serialization.decode(wire).dtype
        order = wire.get('order', 'C')
        yield place, np.ndarray(wire['shape'], dtype, buffer=mapped, offset=offset, order=order), wire


def is_chunks(value):
    return isinstance(value, dict) and value.keys() == {'chunks', 'axis'}


def joined(value):
    """The tree with every array in chunks as one array."""
    if is_chunks(value):
        return np.concatenate(value['chunks'], axis=value['axis'])
    if isinstance(value, dict):
        return {key: joined(item) for key, item in value.items()}
    if isinstance(value, list):
        return [joined(item) for item in value]
    return value
