"""The recordings of tests/data/replay, gone on with by the real buffer from files that somebody else wrote."""

import json
import pathlib
import struct

from dopamine.jax.replay_memory import accumulator
from dopamine.jax.replay_memory import elements
from dopamine.jax.replay_memory import replay_buffer
from dopamine.jax.replay_memory import samplers
import numpy as np

import replay

FIELDS = ('state', 'action', 'reward', 'next_state', 'is_terminal', 'episode_end')
DATA = pathlib.Path(__file__).parent.parent / 'data' / 'replay'


def recorded(value):
    """A value as a recording has it: floats as their bits, arrays and NumPy's scalars as maps."""
    if isinstance(value, (np.ndarray, np.generic)) and not isinstance(value, np.float64):
        value = np.asarray(value)
        return {'np': value.dtype.str, 'shape': list(value.shape), 'hex': value.tobytes().hex()}
    return struct.pack('>d', value).hex() if isinstance(value, float) else value


def back(value):
    if isinstance(value, dict):
        return np.frombuffer(bytes.fromhex(value['hex']), np.dtype(value['np'])).reshape(value['shape'])
    return struct.unpack('>d', bytes.fromhex(value))[0] if isinstance(value, str) else value


def generator(sampler):
    state = sampler._rng.bit_generator.state
    return {'state': str(state['state']['state']), 'inc': str(state['state']['inc']),
            'has_uint32': int(state['has_uint32']), 'uinteger': int(state['uinteger'])}


def fresh(config):
    given = config['sampler']
    if given['kind'] == 'prioritized':
        sampler = samplers.PrioritizedSamplingDistribution(
            99, max_capacity=given['max_capacity'], priority_exponent=given['priority_exponent'])
    elif given['kind'] == 'sequential':
        sampler = samplers.SequentialSamplingDistribution(99, sort_samples=given['sort_samples'])
    else:
        sampler = samplers.UniformSamplingDistribution(99)
    return replay_buffer.ReplayBuffer(
        accumulator.TransitionAccumulator(config['stack_size'], config['update_horizon'], config['gamma']),
        sampler, batch_size=config['batch_size'], max_capacity=config['max_capacity'], compress=config['compress'])


def restore(config, data):
    buffer = fresh(config)
    buffer.from_state_dict(replay.unpack(data))
    tree = getattr(buffer._sampling_distribution, '_sum_tree', None)
    if tree is not None:  # an array that Dopamine decodes is read-only, and the tree wants to change
        tree._nodes = tree._nodes.copy()
    return buffer


def element(buffer, key):
    found = buffer._memory[key]
    found = found.unpack() if buffer._compress else found
    return {'key': key, **{field: recorded(getattr(found, field)) for field in FIELDS}}


def apply(buffer, call):
    """Does what was done, and says what came of it in the words of the recording."""
    sampler, before, out = buffer._sampling_distribution, list(buffer._memory), {}
    try:
        if call['op'] == 'add':
            keywords = {'priority': back(call['priority'])} if 'priority' in call else {}
            buffer.add(elements.TransitionElement(*map(back, call['step'])), **keywords)
        elif call['op'] == 'sample':
            batch, metadata = buffer.sample(call['size'], with_sample_metadata=True)
            out['keys'] = metadata.keys.tolist()
            if hasattr(metadata, 'probabilities'):
                out['probabilities'] = [recorded(float(p)) for p in metadata.probabilities]
            out['batch'] = {field: recorded(getattr(batch, field)) for field in FIELDS}
        elif call['op'] == 'update':
            buffer.update(np.asarray(call['keys'], np.int32), priorities=back(call['priorities']))
        else:
            buffer.clear()
    except Exception as error:  # its own faults are recorded as well
        out['error'] = type(error).__name__
    if call['op'] == 'add':
        now = list(buffer._memory)
        out |= {'added': [element(buffer, key) for key in now if key not in before],
                'evicted': [key for key in before if key not in now],
                'add_count': buffer.add_count, 'size': len(now)}
    if call['op'] in ('sample', 'clear'):
        out['rng'] = generator(sampler)
    if hasattr(sampler, '_sum_tree') and call['op'] in ('add', 'update', 'clear'):
        out['root'] = recorded(float(sampler._sum_tree.root))
    return out


def go_on(path):
    """Goes on with NAME.INDEX.msgpack after the call of that index; returns how many results were compared."""
    name, index, _ = path.name.split('.')
    recording = json.loads((DATA / f'{name}.json').read_text())
    config, index, buffer, count = dict(recording['config']), int(index), None, 0
    for at, call in enumerate(recording['ops']):
        if call['op'] == 'save':
            config.update(call.get('restore_with', {}))
            if at > index and 'restore_with' in call:
                buffer = restore(config, replay.pack(buffer.to_state_dict()))
        elif at > index:
            found = apply(buffer, call)
            # The largest priority is in no file.
            expected = {k: v for k, v in call['out'].items() if k not in ('max_unbroken', 'max_restored')}
            found = json.loads(json.dumps(found))
            if found != expected:
                differ = [key for key in {*found, *expected} if found.get(key) != expected.get(key)]
                raise AssertionError(f'call {at} {call["op"]}: {differ} of {found}')
            count += 1
        if at == index:
            buffer = restore(config, path.read_bytes())
    if sorted(buffer._memory) != sorted(recording['final']['memory_keys']):
        raise AssertionError('other keys in the end')
    return count + 1
