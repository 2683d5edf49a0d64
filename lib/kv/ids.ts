import { keys } from "./keys.ts";
import { transact } from "./transact.ts";

/** The last allocation under way for a kind: callers of one process queue instead of colliding. */
const allocations = new WeakMap<Deno.Kv, Map<string, Promise<unknown>>>();

/** The next integer id of `kind`, from 1 on; never given out twice, on any server. */
export function nextId(kv: Deno.Kv, kind: string): Promise<number> {
  const pending = allocations.get(kv) ?? new Map<string, Promise<unknown>>();
  allocations.set(kv, pending);
  const allocate = () =>
    transact(kv, async (op) => {
      const last = await kv.get<number>(keys.lastId(kind));
      const id = (last.value ?? 0) + 1;
      op.check(last).set(last.key, id);
      return id;
    });
  const mine = (pending.get(kind) ?? Promise.resolve()).then(allocate, allocate);
  pending.set(kind, mine);
  return mine;
}
