"""Prints what Dopamine's replay buffer takes: seconds to add one, to sample 32, to save, to load, and MiB of all elements."""
import statistics
import sys
import time

import msgpack
import numpy as np
from dopamine.jax import serialization
from dopamine.jax.replay_memory import accumulator
from dopamine.jax.replay_memory import elements
from dopamine.jax.replay_memory import replay_buffer
from dopamine.jax.replay_memory import samplers

path, count, compress = sys.argv[1], int(sys.argv[2]), sys.argv[3] == 'compressed'


def resident():
  with open('/proc/self/status') as file:
    return next(int(line.split()[1]) for line in file if line.startswith('VmRSS:')) / 1024


def fresh():
  return replay_buffer.ReplayBuffer(
      accumulator.TransitionAccumulator(4, 1, 0.99), samplers.UniformSamplingDistribution(0),
      batch_size=32, max_capacity=count, compress=compress)


def frame(n):
  """The frames of the other side: flat, with a moving block."""
  y, x = np.mgrid[0:84, 0:84]
  inside = ((y + n) % 84 < 12) & ((x + 3 * n) % 84 < 12)
  return np.where(inside, (n * 7 + y * x) % 251, 87).astype(np.uint8)


frames = [frame(n) for n in range(256)]
before = resident()
buffer = fresh()
start = time.perf_counter()
for n in range(count):
  buffer.add(elements.TransitionElement(frames[n % 256], n % 18, 0.5, False, False))
added = (time.perf_counter() - start) / count
memory = resident() - before


def save():
  with open(path, 'wb') as file:
    state = buffer.to_state_dict()
    file.write(msgpack.packb(state, default=serialization.encode, strict_types=False, use_bin_type=True))


def load():
  with open(path, 'rb') as file:
    state = msgpack.unpackb(file.read(), object_hook=serialization.decode, raw=False, strict_map_key=False)
  other.from_state_dict(state)


def median(call, rounds):
  times = []
  for _ in range(rounds):
    start = time.perf_counter()
    call()
    times.append(time.perf_counter() - start)
  return statistics.median(times)


sampled = median(lambda: buffer.sample(32), 201)
saved = median(save, 5)
other = fresh()
loaded = median(load, 5)
print(added, sampled, saved, loaded, memory)
