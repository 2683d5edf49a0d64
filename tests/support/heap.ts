import v8 from "node:v8";
import vm from "node:vm";

v8.setFlagsFromString("--expose-gc");
const collectGarbage: () => void = vm.runInNewContext("gc");

/** Bytes of objects that are still in use. */
export function heapInUse(): number {
  for (let round = 0; round < 2; round++) collectGarbage();
  return Deno.memoryUsage().heapUsed;
}

/**
 * How many bytes of the heap each call has left behind, in the best of three rounds of `count` calls:
 * what really stays does so in each, and code that happens to be compiled meanwhile only in one.
 */
export async function heapPerCall(
  count: number,
  call: (n: number) => unknown,
  warmUp = count / 5,
): Promise<number> {
  for (let n = 0; n < warmUp; n++) await call(n);
  let least = Infinity;
  for (let round = 0; round < 3; round++) {
    const before = heapInUse();
    for (let n = 0; n < count; n++) await call(n);
    least = Math.min(least, (heapInUse() - before) / count);
  }
  return least;
}
