import type { Deps } from "../access/deps.ts";
import type { ProjectRow } from "../model/project_row.ts";
import type { Language } from "../i18n/catalogs.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic, Store } from "../store/store.ts";
import { digestMessage, type HeldAlert, type HeldGroup } from "./more_messages.ts";
import { type DigestAlert, putAlert } from "./outbox.ts";
import { queueMessage } from "./queue_message.ts";
import { channelRecipients } from "./recipients.ts";
import type { RuleRow } from "./rules/schema.ts";
import { projectIdOf } from "./scope.ts";
import { channelOf } from "./targets/environment.ts";
import type { TargetRow } from "./targets/rows.ts";

/** Alerts that a rule holds back. Equal ones are counted together. */
interface DigestRow {
  /** Key of the row of the outbox that sends the digest. */
  due: Deno.KvKey;
  /** Number of alerts. */
  total: number;
  groups: HeldGroup[];
}

/** Maximum number of different alerts in a digest. Others are counted only. */
const GROUPS_MAX = 20;

/** Adds an alert to the digest of a rule, which is sent at `until`, or earlier if it says so. */
export async function holdBack(
  kv: Store,
  op: Atomic,
  { project_id: place, id: rule_id }: RuleRow,
  { title, url, at }: HeldAlert,
  until: Date,
): Promise<void> {
  const entry = await kv.get<DigestRow>(rowKeys.alertDigest(place, rule_id));
  const isEarlier = !entry.value || until.toISOString() < String(entry.value.due[1]);
  if (entry.value && isEarlier) op.delete(entry.value.due);
  const project_id = projectIdOf(place);
  const due = isEarlier
    ? putAlert(op, until, { kind: "digest", project_id, place, rule_id })
    : entry.value!.due;
  const groups = entry.value?.groups ?? [];
  const group = groups.find((group) => group.title === title);
  const added: HeldGroup = { title, url, last: at, count: 1 };
  const next = group
    ? groups.map((one) => one === group ? { ...one, url, last: at, count: one.count + 1 } : one)
    : [...groups, added].slice(0, GROUPS_MAX);
  const total = (entry.value?.total ?? 0) + 1;
  op.check(entry).set(entry.key, { due, total, groups: next } satisfies DigestRow);
}

/** Sends what a rule has held back as one message. */
export async function sendDigest(
  deps: Pick<Deps, "kv" | "clock" | "config">,
  due: Deno.KvEntry<unknown>,
  { project_id, place, rule_id }: DigestAlert,
): Promise<void> {
  const { kv, config } = deps;
  const op = kv.atomic().check(due).delete(due.key);
  const [digest, rule, project] = await kv.getMany<[DigestRow, RuleRow, ProjectRow]>([
    rowKeys.alertDigest(place, rule_id),
    rowKeys.alertRule(place, rule_id),
    rowKeys.project(place),
  ]);
  const { value: target } = await kv.get<TargetRow>(
    rowKeys.alertTarget(place, rule.value?.target_id ?? 0),
  );
  const channel = channelOf(rule.value?.target_id ?? 0);
  const isGone = place !== 0 && (!project.value || project.value.deleting);
  const { value: held } = digest;
  if (held && rule.value && !isGone) {
    op.check(project);
    const message = (language: Language) => digestMessage(config, project.value, held, language);
    if (target?.active) {
      const story = `callboard-digest-${place}-${rule_id}`;
      await queueMessage(deps, op, target, { ...message(target.language), event: "digest", story });
    } else if (channel) {
      for (const { language, ...recipient } of await channelRecipients(kv, config, project.value)) {
        if (recipient.channel !== channel) continue;
        const delivery = { ...recipient, message: message(language), attempts: 0 };
        putAlert(op, deps.clock.now(), { kind: "delivery", project_id, ...delivery });
      }
    }
  }
  if (digest.value) op.check(digest).delete(digest.key);
  await op.commit();
}
