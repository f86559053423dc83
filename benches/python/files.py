"""Prints what each Python library takes to save and to load 16 arrays of 16 MiB: seconds, and memory beyond the arrays."""
import os
import statistics
import sys
import time

import numpy as np


def dopamine():
  import msgpack
  from dopamine.jax import serialization

  def save(arrays, path):
    with open(path, 'wb') as file:
      file.write(msgpack.packb(arrays, default=serialization.encode, strict_types=False, use_bin_type=True))

  def load(path):
    with open(path, 'rb') as file:
      return msgpack.unpackb(file.read(), object_hook=serialization.decode, raw=False, strict_map_key=False)

  return save, load


def flax():
  from flax import serialization

  def save(arrays, path):
    with open(path, 'wb') as file:
      file.write(serialization.to_bytes(arrays))

  def load(path):
    with open(path, 'rb') as file:
      return serialization.msgpack_restore(file.read())

  return save, load


def safetensors():
  from safetensors.numpy import load_file, save_file

  return save_file, load_file


def status(field):
  with open('/proc/self/status') as file:
    return next(int(line.split()[1]) for line in file if line.startswith(field)) / 1024


def measured(call):
  """Medians of seconds, and the most MiB of memory while the first call ran."""
  with open('/proc/self/clear_refs', 'w') as file:
    file.write('5')
  before = status('VmRSS:')
  result = call()
  peak = status('VmHWM:') - before
  times = []
  for _ in range(7):
    start = time.perf_counter()
    new = call()
    times.append(time.perf_counter() - start)
    result = new
  del result
  return statistics.median(times), peak


path = sys.argv[1]
for library in (dopamine, flax, safetensors):
  save, load = library()
  reading, writing = os.pipe()
  # In a process of its own, whose memory nobody has used.
  if os.fork() == 0:
    arrays = {f'layer_{n:06}': np.full((2048, 2048), n, np.float32) for n in range(16)}
    saved = measured(lambda: save(arrays, path))
    loaded = measured(lambda: load(path))
    os.write(writing, f'{library.__name__} {saved[0]} {saved[1]} {loaded[0]} {loaded[1]}'.encode())
    os._exit(0)
  os.close(writing)
  with os.fdopen(reading) as pipe:
    print(pipe.read())
  os.wait()
