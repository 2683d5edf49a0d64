import { inTurn } from "./in_turn.ts";
import { rowKeys } from "./keys.ts";
import { transact } from "./transact.ts";

/** The next integer id of `kind`, from 1 on; never given out twice, on any server. */
export async function nextId(kv: Deno.Kv, kind: string): Promise<number> {
  return (await nextIds(kv, kind, 1))[0];
}

/** The next `count` ids of `kind`, ascending. */
export function nextIds(kv: Deno.Kv, kind: string, count: number): Promise<number[]> {
  const allocate = () =>
    transact(kv, async (op) => {
      const last = await kv.get<number>(rowKeys.lastId(kind));
      const before = last.value ?? 0;
      op.check(last).set(last.key, before + count);
      return Array.from({ length: count }, (_, n) => before + 1 + n);
    });
  return inTurn(kv, `ids ${kind}`, allocate);
}
