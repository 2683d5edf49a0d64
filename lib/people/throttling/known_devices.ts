import { Buffer } from "node:buffer";
import type { SignInOrigin } from "../../access/sessions.ts";
import type { Deps } from "../../access/deps.ts";
import { networkOf } from "../../base/network.ts";
import { reveal } from "../../base/secret.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { KnownDevice } from "./limiter.ts";

/** How long an account knows a network after the last sign-in from it. */
const NETWORK_KEPT_MS = 90 * 86_400_000;
/** Our cookies are shorter. A longer text is not worth opening. */
const COOKIE_LENGTH_MAX = 300;

/**
 * Returns what the account knows the visitor by: the cookie of a browser that has signed in to it,
 * else the network of the address. Returns null for a stranger, and for everyone if `userId` is 0.
 */
export async function findKnownDevice(
  { kv, secrets }: Pick<Deps, "kv" | "secrets">,
  userId: number,
  { address, device }: SignInOrigin,
): Promise<KnownDevice | null> {
  const network = networkOf(address);
  const [cookie, { value: isKnown }] = await Promise.all([
    browserOf(secrets, device),
    kv.get<true>(rowKeys.knownNetwork(userId, network)),
  ]);
  if (userId !== 0 && cookie?.userId === userId) {
    return { kind: "browser", id: `${userId} ${cookie.browser}` };
  }
  return isKnown ? { kind: "network", id: `${userId} ${network}` } : null;
}

/** Adds to `op` that the account knows the network of `address` from now on. */
export function rememberNetwork(op: Atomic, userId: number, address: string): void {
  op.set(rowKeys.knownNetwork(userId, networkOf(address)), true, { expireIn: NETWORK_KEPT_MS });
}

export async function forgetNetworks(kv: Store, userId: number): Promise<void> {
  for await (const { key } of kv.list({ prefix: rowKeys.knownNetworks(userId) })) {
    await kv.delete(key);
  }
}

/**
 * Returns the text of a cookie by which the account will know this browser. No one else can create
 * one.
 */
export async function newDeviceCookie({ secrets }: Pick<Deps, "secrets">, userId: number) {
  const sealed = await secrets.seal(`device ${userId} ${crypto.randomUUID()}`);
  return Buffer.from(sealed).toString("base64url");
}

/**
 * Returns the browser of a cookie, and the account that it last signed in to; null for other texts.
 */
export async function browserOf(
  secrets: Deps["secrets"],
  text: string | undefined,
): Promise<{ userId: number; browser: string } | null> {
  if (!text || text.length > COOKIE_LENGTH_MAX) return null;
  try {
    const sealed = new Uint8Array(Buffer.from(text, "base64url"));
    const opened = reveal(await secrets.open(sealed), "resume");
    const [, userId, unique] = /^device (\d+) (.+)$/.exec(opened) ?? [];
    return unique ? { userId: Number(userId), browser: unique } : null;
  } catch {
    return null; // not ours, or sealed with another secret key
  }
}
