import type { FullResult } from "../execution/run/full_result.ts";
import type { Row } from "./bands.ts";
import { packed } from "./packing.ts";

/** KV takes 64 KiB a value. */
const ROW_BYTES = 60 * 1024;
/** Maximum bytes of one task, compressed. */
const BYTES_MAX = 64 * 1024 * 1024;
/** Maximum number of parts in which a play may gather the facts of a host. */
const PARTS_MAX = 10;

/** Collects the gathered facts of hosts in rows, which lib/hosts reads and deletes once. */
export function gatheredFacts(isKept: boolean) {
  const parts = new Map<number, number>();
  let rows: Row[] = [];
  let bytes = 0;
  return {
    /**
     * Adds facts. Returns false if there is no room for them. Facts of hosts without results are
     * ignored.
     */
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
