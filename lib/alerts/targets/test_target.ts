import type { Actor } from "../../access/actor.ts";
import type { Deps } from "../../access/deps.ts";
import type { ProjectRow } from "../../model/project_row.ts";
import { getUserRow } from "../../model/accounts.ts";
import { rowKeys } from "../../store/keys.ts";
import { forgetOldDeliveries, logDelivery, logKey, reasonOf } from "../deliveries/log.ts";
import { testMessage } from "../message.ts";
import { languageOf, type Recipient, recipientsOf } from "../recipients.ts";
import type { TargetRow } from "./rows.ts";
import type { TargetTest } from "./schema.ts";
import { sendToTarget } from "./send.ts";

interface Tester {
  deps: Deps;
  actor: Actor;
}

/**
 * Sends a test message to a target, for a project or for the server. Returns null if it reaches no
 * one. A test of mails to members goes to the caller.
 */
export async function sendTest(
  { deps, actor }: Tester,
  project: ProjectRow | null,
  target: TargetRow,
): Promise<TargetTest | null> {
  const recipient = await testRecipient({ deps, actor }, project, target);
  if (!recipient) return null;
  const { to, language } = recipient;
  const { kv, config, clock } = deps;
  const log = logKey(target, project?.id ?? 0, clock.now());
  const event = "test" as const;
  const story = `callboard-test-${target.project_id}-${target.id}`;
  const message = { ...testMessage(config, project, language), event, story };
  const result = await sendToTarget(deps, target, { message, to, id: log.unique });
  const outcome = { code: result.code ?? null, reason: reasonOf(result) };
  const op = kv.atomic();
  // A target that was deleted meanwhile has no log.
  const entry = target.id > 0
    ? await kv.get(rowKeys.alertTarget(target.project_id, target.id))
    : null;
  if (entry) op.check(entry);
  if (entry?.versionstamp !== null) {
    const status = result.ok ? "sent" : "abandoned";
    const { title } = message;
    logDelivery(op, log, { event, title, to, status, attempts: 1, next_attempt: null, ...outcome });
    await forgetOldDeliveries(kv, op, log);
    await op.commit();
  }
  return { ok: result.ok, ...outcome };
}

async function testRecipient(
  { deps, actor }: Tester,
  project: ProjectRow | null,
  target: TargetRow,
): Promise<Recipient | undefined> {
  if (target.kind !== "members") return (await recipientsOf(deps, target, { project }))[0];
  if (actor.kind !== "user") return undefined;
  const user = await getUserRow(deps.kv, actor.id);
  return { to: user.email, language: languageOf(user) };
}
