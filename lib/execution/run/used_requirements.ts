import * as z from "zod";
import { byteLength } from "../../base/fields.ts";

/** A role or collection that a run used. */
export const usedRequirement = z.object({
  kind: z.enum(["role", "collection"]),
  name: z.string().max(200),
  /** As the requirement file has it, such as a branch; empty for none. */
  version: z.string().max(100),
  /** The commit or version that this stood for; empty if it is not known. */
  resolved: z.string().max(100),
  /** Set if no file asks for it, but something that was installed from a Galaxy server. */
  dependency: z.literal(true).optional(),
});
export type UsedRequirement = z.output<typeof usedRequirement>;

const USED_MAX = 100;
const USED_BYTES_MAX = 8 * 1024;

/** The requirements of a run, by which another run can use the same. */
export const usedRequirements = z.object({
  /** Name of their installation. */
  key: z.string().regex(/^[0-9a-f]{32}$/),
  items: z.array(usedRequirement).max(USED_MAX),
  /** Number of further ones, which are not listed. */
  more: z.int().min(0),
});
export type UsedRequirements = z.output<typeof usedRequirements>;

/** Returns as many requirements as a task stores, in at most `bytesMax` as JSON. */
export function boundedUse(
  key: string,
  all: UsedRequirement[],
  bytesMax = USED_BYTES_MAX,
): UsedRequirements {
  const cut = (item: UsedRequirement): UsedRequirement => ({
    ...item,
    name: item.name.slice(0, 200),
    version: item.version.slice(0, 100),
    resolved: item.resolved.slice(0, 100),
  });
  const items: UsedRequirement[] = [];
  let bytes = 0;
  for (const item of all.map(cut)) {
    bytes += byteLength(JSON.stringify(item));
    if (items.length === USED_MAX || bytes > Math.min(bytesMax, USED_BYTES_MAX)) break;
    items.push(item);
  }
  return { key, items, more: all.length - items.length };
}
