"""Prints the median seconds that flwr takes to make the id of a record of an array of so many MiB, and to read it back."""
import statistics
import sys
import time

from flwr.app import ArrayRecord
from flwr.supercore.inflatable import inflatable_object, inflatable_utils
import numpy as np

array = np.arange(int(sys.argv[1]) << 18, dtype='<f4')


def seconds(call):
  times, result = [], None
  for _ in range(6):
    start = time.perf_counter()
    new = call()
    times.append(time.perf_counter() - start)
    # What the call before returned is dropped outside of the time.
    result = new
  return statistics.median(times[1:]), result


identifying, object_id = seconds(lambda: ArrayRecord([array]).object_id)
objects = inflatable_object.get_all_nested_objects(ArrayRecord([array]))
contents = {key: item.deflate() for key, item in objects.items()}
reading, result = seconds(
    lambda: inflatable_utils.inflate_object_from_contents(object_id, dict(contents)).to_numpy_ndarrays())
assert (result[0] == array).all()
print(identifying, reading)
