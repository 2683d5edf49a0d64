import type { Deps } from "./deps.ts";
import { rowKeys } from "../store/keys.ts";
import type { LiveMessage } from "../base/hub.ts";

type Change = Omit<Extract<LiveMessage, { type: "access" }>, "type">;

/** Notifies sockets, here and on other servers, to check again what they may show. */
export async function accessChanged(
  { kv, hub }: Pick<Deps, "kv" | "hub">,
  change: Change,
): Promise<void> {
  hub.publish({ type: "access", ...change });
  await kv.set(rowKeys.accessWake(), crypto.randomUUID());
}
