import type { UserActor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import { invalidField } from "../../base/errors.ts";
import { forgiveAttempt, reserveAttempt } from "../sessions/limiter.ts";
import { getUser } from "./repository.ts";

/**
 * Makes sure that whoever sits at a session knows its account's password, before what outlasts the
 * session. Whose account has none here is not asked. Throws 400, and 429 after too many guesses.
 */
export async function confirmPassword(
  { kv, clock, passwords }: Pick<Deps, "kv" | "clock" | "passwords">,
  { id }: UserActor,
  typed: string,
  field = "current_password",
): Promise<void> {
  const { password } = await getUser(kv, id);
  if (password === null) return;
  // Counted apart from sign-ins: nobody who is signed in locks the owner out, or the other way.
  const known = { kind: "browser", id: `${id} signed in` } as const;
  const attempt = { login: "", address: "", known };
  await reserveAttempt(kv, clock.now(), attempt);
  if (!await passwords.verify(typed, password)) {
    throw invalidField(field, "errors.current_password");
  }
  await forgiveAttempt(kv, attempt);
}
