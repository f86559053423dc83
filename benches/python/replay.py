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

times = []
for _ in range(200):
  start = time.perf_counter()
  buffer.sample(32)
  times.append(time.perf_counter() - start)
sampled = statistics.median(times)

start = time.perf_counter()
with open(path, 'wb') as file:
  file.write(msgpack.packb(buffer.to_state_dict(), default=serialization.encode, strict_types=False, use_bin_type=True))
saved = time.perf_counter() - start

start = time.perf_counter()
with open(path, 'rb') as file:
  state = msgpack.unpackb(file.read(), object_hook=serialization.decode, raw=False, strict_map_key=False)
other = fresh()
other.from_state_dict(state)
loaded = time.perf_counter() - start
print(added, sampled, saved, loaded, memory)
