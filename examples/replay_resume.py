"""The Python side of replay_resume.rs, on Dopamine's own replay buffer.

    replay_resume.py train FILE      trains for a while, saves, and prints what it samples if it just goes on
    replay_resume.py go_on FILE      goes on with a file and prints what it samples
"""
import logging
import os
import sys

os.environ.setdefault('JAX_PLATFORMS', 'cpu')
logging.disable(logging.WARNING)

from dopamine.jax import serialization
from dopamine.jax.replay_memory import accumulator
from dopamine.jax.replay_memory import elements
from dopamine.jax.replay_memory import replay_buffer
from dopamine.jax.replay_memory import samplers
import msgpack
import numpy as np


def fresh():
  return replay_buffer.ReplayBuffer(
      accumulator.TransitionAccumulator(stack_size=2, update_horizon=3, gamma=0.9),
      samplers.PrioritizedSamplingDistribution(seed=7, max_capacity=51, priority_exponent=0.6),
      batch_size=4, max_capacity=50, compress=True)


def train(buffer, steps):
  """A step of the environment, a sample, and priorities that come of its rewards."""
  sampled = []
  for step in steps:
    ends = step % 11 == 10
    observation = np.full(3, step % 256, np.uint8)
    buffer.add(elements.TransitionElement(observation, step % 4, 0.5 * step, ends, ends), priority=1.0 + step % 5)
    if buffer.add_count > 4:
      batch, metadata = buffer.sample(4, with_sample_metadata=True)
      sampled.append(metadata.keys.tolist())
      buffer.update(metadata.keys, priorities=np.abs(batch.reward) + 0.01)
  return sampled


def save(buffer, path):
  with open(path, 'wb') as file:
    state = buffer.to_state_dict()
    file.write(msgpack.packb(state, default=serialization.encode, strict_types=False, use_bin_type=True))


def load(path):
  with open(path, 'rb') as file:
    state = msgpack.unpackb(file.read(), object_hook=serialization.decode, raw=False, strict_map_key=False)
  buffer = fresh()
  buffer.from_state_dict(state)
  tree = buffer._sampling_distribution._sum_tree
  tree._nodes = tree._nodes.copy()  # what Dopamine decodes is read-only
  return buffer


if __name__ == '__main__':
  command, path = sys.argv[1:]
  if command == 'train':
    buffer = fresh()
    train(buffer, range(0, 100))
    save(buffer, path)
    # Where nobody else has gone on: the samples of the next hundred steps.
    print(*train(buffer, range(100, 200)), sep='\n')
  else:
    print(*train(load(path), range(150, 200)), sep='\n')
