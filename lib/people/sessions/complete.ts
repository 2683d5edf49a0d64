import type { Deps } from "../../access/deps.ts";
import { insertSession, type SignInOrigin } from "../../access/sessions.ts";
import { AppError } from "../../base/errors.ts";
import { recordEvent } from "../../events/record.ts";
import { transact } from "../../store/transact.ts";
import { isTrustedBrowser, trustBrowser } from "../factors/trusted_browsers.ts";
import { accountOf, byThemselves } from "../identities/accounts.ts";
import { findUser } from "../../model/accounts.ts";
import type { UserRow } from "../../model/account_row.ts";
import { beginCodeStep } from "./code_step.ts";
import { browserOf, newDeviceCookie, rememberNetwork } from "../throttling/known_devices.ts";
import type { VerifiedSignIn } from "./schema.ts";
import { applyRules, requireEntry } from "../group_rules/apply.ts";
import type { NewAccounts } from "../../base/claims.ts";
import type { Proof } from "../identities/schema.ts";

/** Result of a sign-in, for the cookies. */
export interface SignedIn {
  kind: "signed_in";
  token: string;
  /** Cookie by which the account will know this browser; null if it already does. */
  device: string | null;
  /** Cookie that lets this browser skip the code from now on; null if that was not requested. */
  trusted: string | null;
}

/** There is no session yet, because a code is required. */
interface CodeNeeded {
  kind: "code_needed";
  /** Token of this sign-in, for this browser's cookie. */
  step: string;
}

export type SignInResult = SignedIn | CodeNeeded;

type CompleteDeps = Pick<Deps, "kv" | "clock" | "secrets">;

/**
 * Completes every sign-in method, after someone has proved to be `userId`. Opens a session, or
 * starts the code step if the account requires it. Throws 401 if the account is gone or its
 * password was changed in the meantime.
 */
export async function completeSignIn(
  deps: CompleteDeps,
  proved: VerifiedSignIn,
  origin: SignInOrigin,
): Promise<SignInResult> {
  return await openSession(deps, proved, origin) ??
    { kind: "code_needed", step: await beginCodeStep(deps, proved) };
}

/** Options of the session to open. */
interface SessionOptions {
  /** Whether both factors were proved. */
  hasCode?: boolean;
  /** Whether the browser is not to be asked for a code from now on. */
  trust?: boolean;
}

/** Opens a session; no other function does. Returns null if a code is required first. */
export async function openSession(
  deps: CompleteDeps,
  { userId, way, password, fresh, provider }: VerifiedSignIn,
  origin: SignInOrigin,
  { hasCode = way === "passkey", trust = false }: SessionOptions = {},
): Promise<SignedIn | null> {
  const { kv, clock, secrets } = deps;
  const isKnown = (await browserOf(secrets, origin.device))?.userId === userId;
  const device = isKnown ? null : await newDeviceCookie(deps, userId);
  return await transact(kv, async (op) => {
    const now = clock.now();
    const entry = await findUser(kv, userId);
    if (!entry || !isStill(entry.value, password)) throw new AppError(401, "errors.sign_in_failed");
    const needsCode = entry.value.second_factor && !hasCode;
    if (needsCode && !await isTrustedBrowser(kv, op, userId, origin, now)) return null;
    op.check(entry);
    if (fresh) op.set(entry.key, { ...entry.value, password: fresh });
    rememberNetwork(op, userId, origin.address);
    const { text: token } = insertSession(op, now, userId, origin, provider);
    recordEvent(op, deps, byThemselves(entry.value, origin), {
      projectId: 0,
      object: "user",
      id: userId,
      name: entry.value.username,
      action: `signed_in_${way}`,
      params: { address: origin.address, ...provider && { provider: provider.id } },
    });
    const trusted = trust ? trustBrowser(op, userId, origin, now).text : null;
    return { kind: "signed_in", token, device, trusted } as const;
  });
}

const isStill = (user: UserRow, password: string | undefined): boolean =>
  password === undefined || user.password === password;

interface Terms {
  newAccounts: NewAccounts;
  /** Id of the provider's own session. */
  sid?: string;
  /** ID token that the provider expects at its own sign-out. */
  idToken?: string | null;
}

/** Longer tokens are not stored. The provider then asks the person which session to end. */
const ID_TOKEN_LENGTH_MAX = 8_000;

/**
 * Signs in a person whom a provider of any kind has verified. Throws 403 with a message if rules,
 * settings or another account prevent it.
 */
export async function signInExternal(
  deps: Deps,
  proof: Proof,
  { newAccounts, sid, idToken }: Terms,
  origin: SignInOrigin,
): Promise<SignInResult> {
  const { provider: id, issuer, subject } = proof;
  await requireEntry(deps, proof);
  const { id: userId } = await accountOf(deps, proof, newAccounts);
  await applyRules(deps, userId, proof);
  const isShort = idToken && idToken.length <= ID_TOKEN_LENGTH_MAX;
  const id_token = isShort ? await deps.secrets.seal(idToken) : null;
  const provider = { id, issuer, subject, ...sid && { sid }, ...id_token && { id_token } };
  return await completeSignIn(deps, { userId, way: "provider", provider }, origin);
}
