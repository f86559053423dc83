"""Prints the median seconds that Dopamine takes to encode and to decode a file, compressed records included."""
import statistics
import sys
import time

import msgpack
import numpy as np
from dopamine.jax import serialization
from dopamine.jax.replay_memory import elements


def restore(data):
  state = msgpack.unpackb(data, object_hook=serialization.decode, raw=False, strict_map_key=False)
  if 'observations' in state:
    state['observations'] = [elements.uncompress(record) for record in state['observations']]
  return state


def save(state):
  if 'observations' in state:
    state = {'observations': [elements.compress(frame) for frame in state['observations']]}
  return msgpack.packb(state, default=serialization.encode, strict_types=False, use_bin_type=True)


def seconds(call, *arguments):
  times, result = [], None
  for _ in range(6):
    start = time.perf_counter()
    new = call(*arguments)
    times.append(time.perf_counter() - start)
    # What the call before returned is dropped outside of the time.
    result = new
  return statistics.median(times[1:]), result


with open(sys.argv[1], 'rb') as file:
  data = file.read()
reading, state = seconds(restore, data)
writing, written = seconds(save, state)
assert len(written) == len(data)
print(writing, reading)
