import { rowKeys } from "../../kv/keys.ts";
import { listIdentityRows } from "../identities/repository.ts";
import type { GrantsRow } from "./schema.ts";
import { noteOldest } from "./words.ts";

/** Migrates earlier grants of rules, which then date from the last sign-in at their provider. */
export async function dateGrants(kv: Deno.Kv): Promise<void> {
  for await (const entry of kv.list<GrantsRow>({ prefix: rowKeys.allRuleGrants() })) {
    const [, userId, provider] = entry.key as [string, number, string];
    const identities = await listIdentityRows(kv, userId);
    const times = identities.filter((one) => one.provider === provider)
      .map(({ last_used }) => Date.parse(last_used));
    const said = Math.max(0, ...times);
    if (!entry.value.said) {
      await kv.atomic().check(entry).set(entry.key, { ...entry.value, said }).commit();
    }
    await noteOldest({ kv }, userId, 0);
  }
}
