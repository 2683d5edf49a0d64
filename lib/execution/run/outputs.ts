import { byteLength } from "../../base/fields.ts";

/** Limits for the outputs of one task, in bytes of UTF-8. */
export const OUTPUT_BYTES_MAX = 32 * 1024;
const OUTPUTS_BYTES_MAX = 256 * 1024;
export const OUTPUTS_MAX = 100;

/** Names are ASCII, so that they can be names of variables. */
export const OUTPUT_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;

/** Reason why an output is left out: its name, its length, or that of all of them. */
export type OutputRefusal = "name" | "long" | "total" | "many";

/** Creates a collection of outputs within the limits. */
export function createOutputs() {
  const values = new Map<string, string>();
  let bytes = 0;
  return {
    values: values as ReadonlyMap<string, string>,
    /** Adds an output with a new name. Returns the reason if it is left out. */
    add(name: string, value: string): OutputRefusal | null {
      if (!OUTPUT_NAME.test(name)) return "name";
      const length = byteLength(value);
      if (length > OUTPUT_BYTES_MAX) return "long";
      if (values.size >= OUTPUTS_MAX) return "many";
      if (bytes + length > OUTPUTS_BYTES_MAX) return "total";
      values.set(name, value);
      bytes += length;
      return null;
    },
  };
}
