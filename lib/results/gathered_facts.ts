import type { FullResult } from "../execution/run/full_result.ts";
import type { Row } from "./bands.ts";
import { packed } from "./packing.ts";

/** KV takes 64 KiB a value. */
const ROW_BYTES = 60 * 1024;
/** Of one run, packed. */
const BYTES_MAX = 64 * 1024 * 1024;
/** A play may gather the facts of a host in parts. */
const PARTS_MAX = 10;

/** The facts of hosts as a run gathers them, in rows that are taken once: see lib/hosts. */
export function gatheredFacts(isKept: boolean) {
  const parts = new Map<number, number>();
  let rows: Row[] = [];
  let bytes = 0;
  return {
    /** False where there is no room for them. Those of hosts that a run did not go to are none. */
    add(host: number | undefined, facts: FullResult | null): boolean {
      if (!isKept || host === undefined) return true;
      const value = packed([facts]);
      const part = (parts.get(host) ?? 0) + 1;
      if (
        facts === null || value.length > ROW_BYTES || part > PARTS_MAX ||
        bytes + value.length > BYTES_MAX
      ) {
        return false;
      }
      parts.set(host, part);
      bytes += value.length;
      rows.push({ at: ["facts", host, part], value, bytes: value.length });
      return true;
    },
    rows(): Row[] {
      const taken = rows;
      rows = [];
      return taken;
    },
  };
}
