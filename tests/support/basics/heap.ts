import v8 from "node:v8";
import vm from "node:vm";

v8.setFlagsFromString("--expose-gc");
const collectGarbage: () => void = vm.runInNewContext("gc");

/** Returns the bytes of objects that are still in use. */
export function heapInUse(): number {
  for (let round = 0; round < 2; round++) collectGarbage();
  return Deno.memoryUsage().heapUsed;
}

/**
 * Returns the bytes of the heap that each call leaves behind, in the best of three rounds of
 * `count` calls. A real leak shows in each round, but code that happens to be compiled only in one.
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
