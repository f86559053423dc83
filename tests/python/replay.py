"""A real replay buffer that is saved, passes through other hands, and goes on."""

from dopamine.jax import serialization
from dopamine.jax.replay_memory import accumulator
from dopamine.jax.replay_memory import elements
from dopamine.jax.replay_memory import replay_buffer
from dopamine.jax.replay_memory import samplers
import msgpack
import numpy as np

KINDS = ('uniform', 'prioritized')
CAPACITY = 24
BATCH = 5


def pack(state):
    """As Dopamine's checkpoint handler writes a file."""
    return msgpack.packb(state, default=serialization.encode, strict_types=False, use_bin_type=True)


def unpack(data, hook=serialization.decode):
    """As Dopamine's checkpoint handler reads a file."""
    return msgpack.unpackb(data, object_hook=hook, raw=False, strict_map_key=False)


def fresh(kind, seed):
    if kind == 'prioritized':  # an item is added before the oldest goes, so the tree needs one more place
        sampler = samplers.PrioritizedSamplingDistribution(seed, max_capacity=CAPACITY + 1, priority_exponent=0.6)
    else:
        sampler = samplers.UniformSamplingDistribution(seed)
    return replay_buffer.ReplayBuffer(
        accumulator.TransitionAccumulator(stack_size=3, update_horizon=2, gamma=0.9),
        sampler, batch_size=BATCH, max_capacity=CAPACITY, compress=True)


def feed(buffer, kind, steps):
    """Adds transitions, episode ends among them, that depend on nothing but the step."""
    for step in steps:
        rng = np.random.default_rng(step)
        transition = elements.TransitionElement(
            rng.integers(0, 256, (6, 6), np.uint8), int(rng.integers(4)), float(rng.normal()), step % 9 == 8, step % 13 == 12)
        buffer.add(transition, **({'priority': float(rng.uniform(0.1, 3.0))} if kind == 'prioritized' else {}))


def build(kind):
    """A file of a buffer that has wrapped round, drawn from, and stands within an episode."""
    buffer = fresh(kind, 7)
    feed(buffer, kind, range(42))
    buffer.sample(BATCH)
    return pack(buffer.to_state_dict())


def restore(kind, data):
    buffer = fresh(kind, 123)
    buffer.from_state_dict(unpack(data))
    if kind == 'prioritized':  # an array that Dopamine decodes is read-only, and the tree wants to change
        buffer._sampling_distribution._sum_tree._nodes = buffer._sampling_distribution._sum_tree._nodes.copy()
    return buffer


def draw(buffer):
    return [buffer.sample(BATCH, with_sample_metadata=True)[1].keys.tolist() for _ in range(10)]


def future(kind, data):
    """What a buffer restored from the file draws, and what it draws after more was added."""
    buffer = restore(kind, data)
    keys = {'next': draw(buffer)}
    feed(buffer, kind, range(42, 52))
    keys['after_adding'] = draw(buffer)
    return keys


def memory(kind, data):
    """The restored elements, frames uncompressed."""
    items = restore(kind, data)._memory.items()
    return [[key, *vars(element.unpack()).values()] for key, element in items]
