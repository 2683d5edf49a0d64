import type { Deps } from "../access/deps.ts";
import type { ProjectRow } from "../access/rows.ts";
import { rowKeys } from "../kv/keys.ts";
import type { Status } from "../tasks/status.ts";
import { holdBack } from "./digests.ts";
import { putAlert, type StoryAlert } from "./outbox.ts";
import { queueMessage } from "./queue_message.ts";
import { recipientsOf, serverRecipients, voteRecipients } from "./recipients.ts";
import { matchedEvent } from "./rules/match.ts";
import { quietUntil } from "./rules/quiet.ts";
import { listRuleRows } from "./rules/repository.ts";
import type { RuleRow } from "./rules/schema.ts";
import type { AlertEvent, ChannelKind } from "./schema.ts";
import { type AlertStory, storyOf } from "./stories.ts";
import type { TargetMessage } from "./target_message.ts";
import { channelOf } from "./targets/environment.ts";
import type { TargetRow } from "./targets/rows.ts";

/** Time for which a digest of repeated failures collects them. */
const DIGEST_MS = 24 * 60 * 60_000;

type ExpandDeps = Pick<Deps, "kv" | "config" | "clock">;

/** Replaces an alert with a row for each recipient, in one commit. */
export async function expand(
  deps: ExpandDeps,
  entry: Deno.KvEntry<unknown>,
  alert: StoryAlert,
): Promise<void> {
  const { kv } = deps;
  const { project_id } = alert;
  const op = kv.atomic().check(entry).delete(entry.key);
  const found = project_id === null ? null : await kv.get<ProjectRow>(rowKeys.project(project_id));
  if (found) op.check(found);
  const project = found?.value ?? null;
  const isGone = found !== null && (!project || project.deleting);
  const story = isGone ? null : await storyOf(deps, project, alert);
  if (story) await tellAll(deps, op, project, alert, story);
  await op.commit();
}

/** Without rules, a project and the server use the channels of the environment. */
async function tellAll(
  deps: ExpandDeps,
  op: Deno.AtomicOperation,
  project: ProjectRow | null,
  alert: StoryAlert,
  story: AlertStory,
): Promise<void> {
  const ofServer = await listRuleRows(deps.kv, 0);
  const ofProject = project ? await listRuleRows(deps.kv, project.id) : [];
  const own = project ? ofProject : ofServer;
  if (own.length === 0) await tellChannels(deps, op, project, alert, story);
  await tellTargets(deps, op, project, alert, story, [...ofProject, ...ofServer]);
}

/** Adds the messages to the channels of the environment, for a project without rules. */
async function tellChannels(
  deps: ExpandDeps,
  op: Deno.AtomicOperation,
  project: ProjectRow | null,
  alert: StoryAlert,
  { subject, message }: AlertStory,
): Promise<void> {
  const isOld = ["task", "approval", "lost_runner"].includes(alert.kind);
  const event = subject.events.findLast((event) => event !== "changed");
  const isQuiet = alert.kind === "task" && alert.quiet_success;
  if (!isOld || event === undefined || isQuiet) return;
  // People who get mails about failures get those about runners.
  const status = alert.kind === "task" ? alert.status : "error";
  for (const { language, ...recipient } of await recipients(deps, project, alert, status)) {
    putAlert(op, deps.clock.now(), {
      kind: "delivery",
      project_id: alert.project_id,
      ...recipient,
      message: message(language, event),
      attempts: 0,
    });
  }
}

async function recipients(
  { kv, config }: ExpandDeps,
  project: ProjectRow | null,
  alert: StoryAlert,
  status: Status,
) {
  if (!project) return await serverRecipients(kv, config);
  if (alert.kind === "approval") return await voteRecipients(kv, config, project, alert.voters);
  return await recipientsOf(kv, config, project, status);
}

/** Adds the messages to the targets of rules. A target gets each alert once. */
async function tellTargets(
  deps: ExpandDeps,
  op: Deno.AtomicOperation,
  project: ProjectRow | null,
  alert: StoryAlert,
  story: AlertStory,
  rules: readonly RuleRow[],
): Promise<void> {
  const isForHosts = rules.some(({ hosts }) => hosts.length > 0);
  const hosts = isForHosts ? await story.readHosts() : [];
  const told = new Set<string>();
  for (const rule of rules) {
    const event = matchedEvent(rule, { ...story.subject, hosts });
    const target = `${rule.target_id < 0 ? 0 : rule.project_id}/${rule.target_id}`;
    if (event === null || told.has(target)) continue;
    if (await tellTarget(deps, op, project, alert, story, rule, event)) told.add(target);
  }
}

/** Adds the message of a rule, now or in a digest. Returns whether its target gets the alert. */
async function tellTarget(
  deps: ExpandDeps,
  op: Deno.AtomicOperation,
  project: ProjectRow | null,
  alert: StoryAlert,
  story: AlertStory,
  rule: RuleRow,
  event: AlertEvent,
): Promise<boolean> {
  const now = deps.clock.now();
  const isRepeated = event === "failed" && story.isAgain && rule.repeat === "change";
  if (isRepeated && !rule.digest) return false;
  const channel = channelOf(rule.target_id);
  if (channel !== null) {
    if (isRepeated) return false;
    const people = rule.project_id === 0 ? null : project && { ...project, alert: true };
    await tellChannel(deps, op, people, alert, story, event, channel);
    return true;
  }
  const { value: target } = await deps.kv.get<TargetRow>(
    rowKeys.alertTarget(rule.project_id, rule.target_id),
  );
  if (!target?.active) return false;
  const message: TargetMessage = {
    ...story.message(target.language, event),
    event,
    story: `callboard-${alert.project_id ?? 0}-${story.key}`,
  };
  const quietEnd = rule.quiet && quietUntil(rule.quiet, now);
  const until = quietEnd ?? (isRepeated ? new Date(now.getTime() + DIGEST_MS) : null);
  if (until === null) {
    // Mails to many people have a commit of their own, because a commit takes 1,000 rows.
    const { project_id } = alert;
    const { project_id: place, id: target_id } = target;
    if (target.kind === "email") {
      putAlert(op, now, { kind: "mails", project_id, place, target_id, message });
    } else await queueMessage(deps, op, target, message);
    return true;
  }
  const held = { title: message.title, url: message.url, at: now.toISOString() };
  await holdBack(deps.kv, op, rule, held, until);
  return true;
}

/** Adds the messages of a rule to a channel of the environment. */
async function tellChannel(
  deps: ExpandDeps,
  op: Deno.AtomicOperation,
  project: ProjectRow | null,
  alert: StoryAlert,
  story: AlertStory,
  event: AlertEvent,
  chosen: ChannelKind,
): Promise<void> {
  // Mails go to people who get those about failures.
  for (const { language, ...recipient } of await recipients(deps, project, alert, "error")) {
    if (recipient.channel !== chosen) continue;
    putAlert(op, deps.clock.now(), {
      kind: "delivery",
      project_id: alert.project_id,
      ...recipient,
      message: story.message(language, event),
      attempts: 0,
    });
  }
}
