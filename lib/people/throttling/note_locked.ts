import type { Deps } from "../../access/deps.ts";
import { paths } from "../../base/paths.ts";
import { queueNotice } from "../../events/notices.ts";
import { rowKeys } from "../../store/keys.ts";
import { findUserByLogin } from "../users/repository.ts";
import { FREE_GUESSES } from "./limiter.ts";

/** Someone who continues to guess causes no further notice within this time. */
const AGAIN_MS = 60 * 60_000;

/** Stores a notice once an account has had so many failed sign-ins that the next ones must wait. */
export async function noteLocked(
  { kv, clock }: Pick<Deps, "kv" | "clock">,
  login: string,
  failures: number,
): Promise<void> {
  if (failures < FREE_GUESSES) return;
  const user = await findUserByLogin(kv, login);
  if (!user) return;
  const { id, username } = user.value;
  const noted = await kv.get(rowKeys.lockNotice(id));
  if (noted.versionstamp !== null) return;
  const op = kv.atomic().check(noted).set(noted.key, true, { expireIn: AGAIN_MS });
  queueNotice(op, { clock }, {
    event: "account_locked",
    project_id: null,
    template_id: null,
    title: { key: "alerts.title.account_locked", params: { username, count: failures } },
    path: paths.user(id),
  });
  await op.commit();
}
