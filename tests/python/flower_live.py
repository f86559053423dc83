"""The Flower side of the live tests: `flower_live.py COMMAND DIR`, where COMMAND is one of the functions at the end.

A folder holds the bytes of objects in files that are named by their ids, and roots.json, a list of the ids of roots with what
the arrays of records hold: under the path of their keys the name of the dtype, the shape and the items in row-major order, in
hex; a map, or a list of pairs. Of structured arrays it is the items of one field after the other.
"""

import hashlib
import json
import os
import pathlib
import sys

command, directory = sys.argv[1], pathlib.Path(sys.argv[2])
if command.endswith('_small'):
    os.environ['FLWR_PRIVATE_MAX_ARRAY_CHUNK_SIZE'] = '100'  # read when flwr is imported

from flwr.app import Array, ArrayRecord, ConfigRecord, Error, Message, MetricRecord, RecordDict
from flwr.supercore.inflatable import inflatable_object, inflatable_utils
from flwr.supercore.task_identity import TaskIdentity
import ml_dtypes
import numpy as np


def arrays_of(value, path=''):
    """Yields (path, Array) of whatever holds arrays."""
    if isinstance(value, Array):
        yield path, value
    elif isinstance(value, Message) and value.has_content():
        yield from arrays_of(value.content, path)
    elif isinstance(value, (ArrayRecord, RecordDict)):
        for key, item in value.items():
            yield from arrays_of(item, f'{path}/{key}')


def fact(array):
    items = array.numpy()
    # What lies between fields is whatever memory had, once numpy has copied or loaded them.
    fields = [items[name] for name in items.dtype.names or ()] or [items]
    return {'dtype': array.dtype, 'shape': list(items.shape), 'fortran': bool(items.flags.fnc),
            'items': b''.join(np.ascontiguousarray(field).tobytes() for field in fields).hex()}


def write(roots):
    entries = []
    for root in roots:
        objects = inflatable_object.get_all_nested_objects(root)
        for object_id, item in objects.items():
            (directory / object_id).write_bytes(item.deflate())
        tree = inflatable_object.get_object_tree(root).SerializeToString()
        entries.append({'id': root.object_id, 'class': type(root).__name__, 'objects': list(objects), 'tree': tree.hex(),
                        'arrays': {path: fact(array) for path, array in arrays_of(root)}})
        if isinstance(root, ArrayRecord):
            entries[-1]['count_bytes'] = root.count_bytes()
    (directory / 'roots.json').write_text(json.dumps(entries))
    print(f'{len(entries)} roots of flwr {sys.modules["flwr"].__version__}')


def layouts(dtype):
    """The same items in every layout that numpy has."""
    base = np.frombuffer(hashlib.sha512(str(dtype).encode()).digest() * 9, 'u1')
    base = base & 1 if dtype == np.bool_ else base
    size = np.dtype(dtype).itemsize
    items = np.frombuffer(base.tobytes()[:size * (len(base) // size)], dtype)
    square = items[:12].reshape(3, 4)
    yield from (items[0], items[:0], items[:5], square, square.T, square[:, ::2], square[::-1], items[:12].reshape(1, 12),
                np.asfortranarray(items[:12].reshape(2, 3, 2)), np.broadcast_to(items[:2], (3, 2)), items[:0].reshape(3, 0))


PLAIN = ['?', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f2', 'f4', 'f8', 'c8', 'c16',
         '>i2', '>u4', '>f2', '>f4', '>f8', '>c16', 'S3', 'V5', 'M8[ns]', 'm8[25s]', ml_dtypes.bfloat16,
         ml_dtypes.float8_e4m3fn, ml_dtypes.int4, [('a', '<i4'), ('b', '>f8', (2,))]]


def as_array(items):
    """An array even of one item, in the layout that it has."""
    return Array(items if isinstance(items, np.ndarray) else np.array(items))


def everything():
    arrays = ArrayRecord({f'{position}.{count}': as_array(items) for position, dtype in enumerate(PLAIN)
                          for count, items in enumerate(layouts(dtype))})
    arrays['padded'] = Array(np.zeros((2, 3), np.dtype([('a', 'u1'), ('b', '<f4')], align=True)))
    texts = ArrayRecord([np.array(['abc', 'é', '']), np.array('x'), np.array(['ab'], '>U2')])
    weights = ArrayRecord([np.arange(100, dtype='<f4').reshape(10, 10), np.zeros(1000), np.array(7)])
    config = ConfigRecord({'lr': 0.1, 'steps': 2**63, 'names': ['a', 'é'], 'raw': b'\0\xff', 'on': True, 'none': []})
    metrics = MetricRecord({'loss': 0.25, 'n': 3, 'history': [1.0, -0.0], 'empty': []})
    records = RecordDict({'arrays': weights, 'config': config, 'metrics': metrics, 'again': weights, 'é"\x7f': config})
    TaskIdentity.run_id, TaskIdentity.node_id, TaskIdentity.task_id = 2**64 - 1, 1, 5
    message = Message(records, dst_node_id=7, message_type='train', ttl=60.0, group_id='1')
    failed = Message(Error(code=3, reason='no data'), reply_to=message)
    return [arrays, texts, weights, config, metrics, records, message, failed, ArrayRecord(), RecordDict()]


def flwr_writes():
    write(everything())


flwr_writes_small = flwr_writes


def flwr_reads():
    count = 0
    for entry in json.loads((directory / 'roots.json').read_text()):
        contents = {object_id: (directory / object_id).read_bytes() for object_id in entry['objects']}
        for content in contents.values():
            inflatable_utils.validate_object_content(content)
        root = inflatable_utils.inflate_object_from_contents(entry['id'], dict(contents))
        assert type(root).__name__ == entry['class'], entry['class']
        assert root.object_id == entry['id'], entry['class']
        objects = inflatable_object.get_all_nested_objects(root)
        assert list(objects) == entry['objects'], entry['class']
        for object_id, item in objects.items():
            assert item.deflate() == contents[object_id], object_id
        assert inflatable_object.get_object_tree(root).SerializeToString().hex() == entry['tree']
        if 'count_bytes' in entry:
            assert root.count_bytes() == entry['count_bytes']
        found, expected = dict(arrays_of(root)), dict(entry['arrays'])
        assert list(found) == list(expected)
        for path, array in found.items():
            count += 1
            assert fact(array) == expected[path], path
            # Where numpy reads the type of ml_dtypes or the alignment that was written, so does what it writes again.
            if str(array.numpy().dtype) == array.dtype:
                assert Array(array.numpy()).object_id == array.object_id, path
    print(f'{count} arrays are equal')


flwr_reads_small = flwr_reads


if __name__ == '__main__':
    globals()[command]()
