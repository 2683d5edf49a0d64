import { digest } from "../base/version.ts";
import { rowKeys } from "../kv/keys.ts";
import { userIdOf } from "./actor.ts";
import type { ProjectScope } from "./scope.ts";

/** Time within which the same form was sent by one click. Later, a person went back to it. */
const ONE_CLICK_MS = 30_000;

/** Object that a form made. */
interface Made {
  id: number;
  at: number;
}

/** The same form has made something just before. */
class SentBefore extends Error {
  override name = "SentBefore";
  constructor(readonly id: number) {
    super();
  }
}

/**
 * Makes something by a form. A form that is sent twice with the same values, as by a double click,
 * makes it once, if `values` include those of `newOnce`. `make` calls its parameter in the commit
 * that stores what it makes. Returns its id.
 */
export async function makeOnce(
  { deps: { kv, clock }, actor }: ProjectScope,
  what: string,
  values: Readonly<Record<string, string>>,
  make: (also: (op: Deno.AtomicOperation, made: { id: number }) => Promise<void>) => Promise<
    { id: number }
  >,
): Promise<number> {
  if (!values.once) return (await make(() => Promise.resolve())).id;
  const hash = digest(JSON.stringify([what, values]), 32);
  const key = rowKeys.sentForm(userIdOf(actor) ?? 0, hash);
  const at = clock.now().getTime();
  try {
    const made = await make(async (op, { id }) => {
      const before = await kv.get<Made>(key);
      if (before.value && at - before.value.at < ONE_CLICK_MS) {
        throw new SentBefore(before.value.id);
      }
      op.check(before).set(key, { id, at }, { expireIn: ONE_CLICK_MS });
    });
    return made.id;
  } catch (error) {
    if (error instanceof SentBefore) return error.id;
    throw error;
  }
}
