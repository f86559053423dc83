"""The Python side of the live tests of records: `flower_records.py COMMAND DIR`, where COMMAND is a function at the end."""

import json
import logging
import pathlib
import sys

import numpy as np

logging.disable(logging.WARNING)

from flwr.app.error import Error
from flwr.app.message.array import Array
from flwr.app.message.arrayrecord import ArrayRecord
from flwr.app.message.configrecord import ConfigRecord
from flwr.app.message.context import Context
from flwr.app.message.message import Message, make_message
from flwr.app.message.metricrecord import MetricRecord
from flwr.app.message.recorddict import RecordDict
from flwr.app.metadata import Metadata
from flwr.common import serde
from flwr.proto import message_pb2, recorddict_pb2


def configs():
    return {
        'numbers': ConfigRecord({'a': 0, 'b': -1, 'c': 2**63 - 1, 'd': 2**63, 'e': -2**63, 'f': -0.0, 'g': float('inf')}),
        'texts': ConfigRecord({'': '', 'é': '😀', 'b': b'', 'c': b'\x00\xff', 'd': False}),
        'lists': ConfigRecord({'a': [], 'b': [1, 2**64 - 1], 'c': [-1], 'd': [True], 'e': ['', 'x'], 'f': [b'', b'x'], 'g': [0.0]}),
    }


def metrics():
    return {'metrics': MetricRecord({'a': 1, 'b': 0.5, 'c': [], 'd': [1, -1], 'e': [2**63], 'f': [-0.0, 1.5]})}


def records():
    arrays = ArrayRecord({'w': Array(np.arange(6, dtype='<f4').reshape(2, 3).T), 'n': Array(np.array(3))})
    return RecordDict({'arrays': arrays, 'config': configs()['lists'], 'metrics': metrics()['metrics']})


def metadata(**changes):
    fields = dict(run_id=2**64 - 1, message_id='m', src_node_id=1, dst_node_id=2, reply_to_message_id='r', group_id='3',
                  created_at=1.7e9, ttl=3600.0, message_type='train')
    return Metadata(**{**fields, **changes})


def messages():
    return {
        'content': make_message(metadata(), content=records()),
        'empty': make_message(metadata(message_id='', reply_to_message_id='', ttl=-0.0, created_at=0.0), content=RecordDict()),
        'error': make_message(metadata(src_task_id=0, dst_task_id=7), error=Error(-5, 'no data')),
        'no_reason': make_message(metadata(message_type='query.abc'), error=Error(0)),
    }


def contexts():
    config = {'': 0, 'lr': 0.5, 'on': True, 'name': '', 'é': -1}
    return {
        'context': Context(2**63, 5, config, records(), {'only': 'x'}, 6),
        'bare': Context(0, 0, {}, RecordDict(), {}),
    }


def inline():
    """The name of each object and its protobuf message, as flwr makes it."""
    for name, record in configs().items():
        yield name, serde.config_record_to_proto(record)
    for name, record in metrics().items():
        yield name, serde.metric_record_to_proto(record)
    yield 'records', serde.recorddict_to_proto(records())
    for name, message in messages().items():
        yield name, serde.message_to_proto(message)
    for name, context in contexts().items():
        yield name, serde.context_to_proto(context)


def write(directory):
    """Writes every object: its protobuf, and of messages what they deflate to."""
    ids = {}
    for name, proto in inline():
        (directory / f'{name}.pb').write_bytes(proto.SerializeToString(deterministic=True))
    for name, message in messages().items():
        (directory / f'{name}.object').write_bytes(message.deflate())
        ids[name] = message.object_id
    (directory / 'ids.json').write_text(json.dumps(ids))
    print(f'{len(list(inline()))} messages written by flwr')


FROM = {
    'ConfigRecord': (recorddict_pb2.ConfigRecord, serde.config_record_from_proto, serde.config_record_to_proto),
    'MetricRecord': (recorddict_pb2.MetricRecord, serde.metric_record_from_proto, serde.metric_record_to_proto),
    'RecordDict': (recorddict_pb2.RecordDict, serde.recorddict_from_proto, serde.recorddict_to_proto),
    'Message': (message_pb2.Message, serde.message_from_proto, serde.message_to_proto),
    'Context': (message_pb2.Context, serde.context_from_proto, serde.context_to_proto),
}


def read(directory):
    """Restores what was written here to FILE.CLASS, and writes it again."""
    files = sorted(path for path in directory.iterdir() if path.suffix[1:] in FROM)
    for path in files:
        proto, restore, store = FROM[path.suffix[1:]]
        restored = restore(proto.FromString(path.read_bytes()))
        again = store(restored).SerializeToString(deterministic=True)
        assert again == path.read_bytes(), (path.name, again, path.read_bytes())
    print(f'{len(files)} messages restored by flwr')


def train(directory):
    """Takes a state as a client of Flower would, changes it, and sends it back with its entries in another order."""
    proto = recorddict_pb2.RecordDict.FromString((directory / 'state.pb').read_bytes())
    received = serde.recorddict_from_proto(proto)
    arrays, config = received['arrays'], received['config']
    assert list(arrays) == ['layers[0].kernel', 'layers[1].kernel', 'scale', 'half'], list(arrays)
    kernel = arrays['layers[0].kernel'].numpy()
    assert kernel.dtype == np.float32 and kernel.flags.f_contiguous and kernel.tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert dict(config) == {
        'step': 7, 'rate': float(np.float32(0.1)), 'rng': str(2**100), 'sizes': [1, 2], 'name': 'é', '.nil': ['seed'],
        '.map': ['table'], '.integer': ['rng'],
    }, dict(config)
    changed = {key: Array(np.asarray(array.numpy() * 2, array.numpy().dtype)) for key, array in reversed(arrays.items())}
    config['step'] += 1
    config['rate'] = 1
    config['rng'] = str(int(config['rng']) + 1)
    config['seed'] = 5
    config['.nil'] = []
    reply = RecordDict({'config': config, 'metrics': MetricRecord({'loss': 0.5}), 'arrays': ArrayRecord(changed)})
    (directory / 'reply.pb').write_bytes(serde.recorddict_to_proto(reply).SerializeToString())
    print(f'a state of {len(arrays)} arrays and {len(config)} settings went to flwr and back')


if __name__ == '__main__':
    command, directory = sys.argv[1:]
    {'write': write, 'read': read, 'train': train}[command](pathlib.Path(directory))
