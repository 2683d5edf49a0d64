import type { UserActor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { requireSession } from "../../access/credentials.ts";
import { invalidField } from "../../base/errors.ts";
import { withinLimit } from "./within_limit.ts";
import { getUserRow } from "../../model/accounts.ts";

/**
 * Ensures that the person at a session knows its account's password, before a change that outlasts
 * the session. Accounts without a password here are not asked. Throws 400, and 429 after too many
 * guesses.
 */
export async function confirmPassword(
  deps: Pick<Deps, "kv" | "clock" | "passwords">,
  { id }: UserActor,
  typed: string,
  field = "current_password",
): Promise<void> {
  const { password } = await getUserRow(deps.kv, id);
  if (password === null) return;
  // Counted separately from sign-ins, so that a person who is signed in cannot lock the owner out,
  // and vice versa.
  const known = { kind: "browser", id: `${id} signed in` } as const;
  await withinLimit(deps, { login: "", address: "", known }, async () => {
    if (await deps.passwords.verify(typed, password)) return;
    throw invalidField(field, "errors.current_password");
  });
}

/**
 * Ensures that only the owner, in a session, changes how their account signs in. Throws 403 for an
 * API token, and as `confirmPassword` does.
 */
export async function confirmOwner(
  deps: Pick<Deps, "kv" | "clock" | "passwords">,
  actor: UserActor,
  { current_password }: { current_password?: string | null },
): Promise<void> {
  requireSession(actor);
  await confirmPassword(deps, actor, current_password ?? "");
}
