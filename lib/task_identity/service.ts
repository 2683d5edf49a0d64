import type { AdminScope, Scope } from "../access/scope.ts";
import { recordEvent } from "../events/record.ts";
import { transact } from "../store/transact.ts";
import { readKeys, replaceKeys, signingKey } from "./key_ring.ts";
import type { TaskIdentityView } from "./schema.ts";
import { issuerOf } from "./sign.ts";

/** Returns the issuer of identities; null if the server's own address is not configured. */
export const readIssuer = ({ deps }: Scope): string | null => issuerOf(deps.config);

/** Returns how identities of tasks are signed. */
export async function getTaskIdentity({ deps }: AdminScope): Promise<TaskIdentityView> {
  const keys = await readKeys(deps);
  const current = keys.indexOf(signingKey(keys, deps.clock.now().getTime()));
  return {
    issuer: issuerOf(deps.config),
    keys: keys.map(({ kid, created, signs_from }, n) => ({
      kid,
      created,
      signs_from,
      state: n === current ? "current" : n < current ? "previous" : "next",
    })),
  };
}

/** Replaces all keys, so that verifiers accept no earlier identity once they read them again. */
export async function revokeIdentityKeys({ deps, actor }: AdminScope): Promise<void> {
  await transact(deps.kv, async (op) => {
    await replaceKeys(deps, op);
    const about = { projectId: 0, object: "identity_keys", id: 0, name: "" } as const;
    recordEvent(op, deps, actor, { ...about, action: "replaced" });
  });
}
