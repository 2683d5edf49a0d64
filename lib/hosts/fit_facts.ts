import { byteLength } from "../base/fields.ts";
import type { FullResult } from "../execution/run/full_result.ts";

/** Number of characters that are left of a text. Nothing is left of a list or an object. */
const TEXT_MAX = 200;

/**
 * Shortens the largest facts until all of them fit. `shortened` has the length of each. If there
 * are too many, some are left out, and it has their number.
 */
export function fitFacts(facts: FullResult, fits: (facts: FullResult) => boolean): FullResult {
  const value = { ...facts.value };
  const shortened = [...facts.shortened];
  const largest = Object.entries(value)
    .map(([name, its]) => ({ name, bytes: byteLength(JSON.stringify(its)) }))
    .toSorted((a, b) => b.bytes - a.bytes);
  const names = largest.filter(({ bytes }) => bytes > TEXT_MAX).map(({ name }) => name);
  // Looking whether they fit takes long, so each turn shortens more of them.
  for (let [done, next] = [0, 1]; done < names.length && !fits({ value, shortened }); next++) {
    for (const name of names.slice(done, done += next)) {
      const fact = value[name];
      const text = typeof fact === "string" ? fact : JSON.stringify(fact);
      value[name] = typeof fact === "string" ? fact.slice(0, TEXT_MAX).toWellFormed() : "";
      if (!shortened.some(({ path }) => path.length === 1 && path[0] === name)) {
        shortened.push({ path: [name], length: text.length });
      }
    }
  }
  let some: FullResult = { value, shortened };
  for (let count = largest.length; count > 0 && !fits(some);) {
    count = Math.floor(count / 2);
    some = {
      value: Object.fromEntries(Object.entries(value).slice(0, count)),
      shortened: [{ path: [], length: largest.length }],
    };
  }
  return some;
}
