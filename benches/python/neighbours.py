"""Prints the median seconds that Flax (`flax`) or msgpack-numpy (`msgpack`) takes to write and to read a file."""
import os
import statistics
import sys
import time

os.environ.setdefault('JAX_PLATFORMS', 'cpu')

if sys.argv[1] == 'flax':
  from flax import serialization
  restore, save = serialization.msgpack_restore, serialization.to_bytes
else:
  import msgpack_numpy
  restore, save = msgpack_numpy.unpackb, msgpack_numpy.packb


def seconds(call, *arguments):
  times, result = [], None
  for _ in range(6):
    start = time.perf_counter()
    new = call(*arguments)
    times.append(time.perf_counter() - start)
    # What the call before returned is dropped outside of the time.
    result = new
  return statistics.median(times[1:]), result


with open(sys.argv[2], 'rb') as file:
  data = file.read()
reading, state = seconds(restore, data)
writing, written = seconds(save, state)
assert written == data
print(writing, reading)
