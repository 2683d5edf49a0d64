import type { Deps } from "../../access/deps.ts";
import { insertSession, type SessionProvider, type SignInOrigin } from "../../access/sessions.ts";
import { AppError } from "../../base/errors.ts";
import { transact } from "../../kv/transact.ts";
import { findUser } from "../users/repository.ts";
import type { UserRow } from "../users/schema.ts";
import { browserOf, newDeviceCookie, rememberNetwork } from "./known_devices.ts";

/** What a sign-in brings, for the cookies. */
export interface SignedIn {
  token: string;
  /** By which the account will know this browser; null for one that it knows. */
  device: string | null;
}

/** What a way in has proved. */
interface Proved {
  userId: number;
  /** Of a sign-in by password: the hash that it was checked against, which must still be the account's. */
  password?: string;
  /** The same password's hash as it is made here, where the account came with another server's. */
  fresh?: string | null;
  /** Of a sign-in by a provider. */
  provider?: SessionProvider;
}

/**
 * The end of every way in, and the only place that opens a session: somebody has proved to be
 * `userId`. Throws 401 where the account is gone or its password was changed meanwhile.
 */
export async function completeSignIn(
  deps: Pick<Deps, "kv" | "clock" | "secrets">,
  { userId, password, fresh, provider }: Proved,
  origin: SignInOrigin,
): Promise<SignedIn> {
  const { kv, clock, secrets } = deps;
  const token = await transact(kv, async (op) => {
    const entry = await findUser(kv, userId);
    if (!entry || !isStill(entry.value, password)) throw new AppError(401, "errors.sign_in_failed");
    op.check(entry);
    if (fresh) op.set(entry.key, { ...entry.value, password: fresh });
    rememberNetwork(op, userId, origin.address);
    return insertSession(op, clock.now(), userId, origin, provider).text;
  });
  const isKnown = (await browserOf(secrets, origin.device))?.userId === userId;
  return { token, device: isKnown ? null : await newDeviceCookie(deps, userId) };
}

const isStill = (user: UserRow, password: string | undefined): boolean =>
  password === undefined || user.password === password;
