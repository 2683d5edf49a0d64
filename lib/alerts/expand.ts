import type { Deps } from "../access/deps.ts";
import type { ProjectRow } from "../model/project_row.ts";
import { rowKeys } from "../store/keys.ts";
import type { Atomic } from "../store/store.ts";
import type { Status } from "../model/status.ts";
import { channels } from "./channels.ts";
import { holdBack } from "./digests.ts";
import { addFeedEntry, findFeed } from "./feed/repository.ts";
import { putAlert, type StoryAlert } from "./outbox.ts";
import { queueMessage } from "./queue_message.ts";
import {
  channelRecipients,
  CHAT_LANGUAGE,
  languageOf,
  ownerWhoWants,
  type Recipient,
  recipientsOf,
  serverRecipients,
  voteRecipients,
} from "./recipients.ts";
import { matchedEvent } from "./rules/match.ts";
import { quietUntil } from "./rules/quiet.ts";
import { listRuleRows } from "./rules/repository.ts";
import type { RuleRow } from "./rules/schema.ts";
import type { AlertEvent, ChannelKind } from "./schema.ts";
import { type AlertStory, storyOf } from "./stories.ts";
import type { TargetMessage } from "./target_message.ts";
import { factLines } from "./text.ts";
import { channelOf } from "./targets/environment.ts";
import type { TargetRow } from "./targets/rows.ts";
import { recipientsOfTarget } from "./targets/send.ts";
import { findProjectEntry } from "../model/projects.ts";

/** Time for which a digest of repeated failures collects them. */
const DIGEST_MS = 24 * 60 * 60_000;

type ExpandDeps = Pick<Deps, "kv" | "config" | "clock">;

/** An alert on its way to its recipients. */
interface Telling {
  deps: ExpandDeps;
  op: Atomic;
  /** Null for an alert about the server. */
  project: ProjectRow | null;
  alert: StoryAlert;
  story: AlertStory;
  /** Mail addresses that get a message now. */
  mailed: Set<string>;
}

/** Replaces an alert with a row for each recipient, in one commit. */
export async function expandAlert(
  deps: ExpandDeps,
  entry: Deno.KvEntry<unknown>,
  alert: StoryAlert,
): Promise<void> {
  const { kv } = deps;
  const { project_id } = alert;
  const op = kv.atomic().check(entry).delete(entry.key);
  const found = project_id === null ? null : await findProjectEntry(kv, project_id);
  if (found) op.check(found);
  const project = found?.value ?? null;
  const isGone = found !== null && (!project || project.deleting);
  const story = isGone ? null : await storyOf(deps, project, alert);
  if (story) await tellAll({ deps, op, project, alert, story, mailed: new Set() });
  await op.commit();
}

/** Without rules, a project and the server use the channels of the environment. */
async function tellAll(telling: Telling): Promise<void> {
  const { deps: { kv }, project } = telling;
  const ofServer = await listRuleRows(kv, 0);
  const ofProject = project ? await listRuleRows(kv, project.id) : [];
  const own = project ? ofProject : ofServer;
  if (own.length === 0) await tellChannels(telling);
  await tellTargets(telling, [...ofProject, ...ofServer]);
  await tellOwner(telling);
  await tellFeed(telling);
}

/** Adds the messages to the channels of the environment, for a project without rules. */
async function tellChannels(telling: Telling): Promise<void> {
  const { alert, story: { subject } } = telling;
  const isOld = ["task", "approval", "lost_runner"].includes(alert.kind);
  const event = subject.events.findLast((event) => event !== "changed");
  const isQuiet = alert.kind === "task" && (alert.quiet_success || alert.quiet_error);
  if (!isOld || event === undefined || isQuiet) return;
  // People who get mails about failures get those about runners.
  const status = alert.kind === "task" ? alert.status : "error";
  for (const recipient of await recipients(telling, status)) addDelivery(telling, recipient, event);
}

/** Adds a message to someone whom a channel of the environment reaches. */
function addDelivery(
  { deps, op, alert, story, mailed }: Telling,
  { language, ...recipient }: Recipient,
  event: AlertEvent,
): void {
  if (recipient.channel === "email") mailed.add(recipient.target);
  putAlert(op, deps.clock.now(), {
    kind: "delivery",
    project_id: alert.project_id,
    ...recipient,
    message: story.message(language, event),
    attempts: 0,
  });
}

async function recipients(
  { deps: { kv, config }, project, alert }: Telling,
  status: Status,
): Promise<Recipient[]> {
  if (!project) return await serverRecipients(kv, config);
  if (alert.kind === "approval") return await voteRecipients(kv, config, project, alert.voters);
  return await recipientsOf(kv, config, project, status);
}

/** Adds the messages to the targets of rules. A target gets each alert once. */
async function tellTargets(telling: Telling, rules: readonly RuleRow[]): Promise<void> {
  const { story, alert: { project_id } } = telling;
  const isForHosts = rules.some(({ hosts }) => hosts.length > 0);
  const hosts = isForHosts ? await story.readHosts() : [];
  const told = new Set<string>();
  for (const rule of rules) {
    const event = matchedEvent(rule, { ...story.subject, project_id, hosts });
    const target = `${rule.target_id < 0 ? 0 : rule.project_id}/${rule.target_id}`;
    if (event === null || told.has(target)) continue;
    if (await tellTarget(telling, rule, event)) told.add(target);
  }
}

/** Adds the message of a rule, now or in a digest. Returns whether its target gets the alert. */
async function tellTarget(telling: Telling, rule: RuleRow, event: AlertEvent): Promise<boolean> {
  const { deps, op, alert, story } = telling;
  const now = deps.clock.now();
  const isRepeated = event === "failed" && story.isAgain && rule.repeat === "change";
  if (isRepeated && !rule.digest) return false;
  const channel = channelOf(rule.target_id);
  const { value: target } = await deps.kv.get<TargetRow>(
    rowKeys.alertTarget(rule.project_id, rule.target_id),
  );
  if (channel === null && !target?.active) return false;
  const message: TargetMessage = {
    ...story.message(target?.language ?? CHAT_LANGUAGE, event),
    event,
    story: `callboard-${alert.project_id ?? 0}-${story.key}`,
  };
  const quietEnd = rule.quiet && quietUntil(rule.quiet, now);
  const until = quietEnd ?? (isRepeated ? new Date(now.getTime() + DIGEST_MS) : null);
  if (until !== null) {
    const held = { title: message.title, url: message.url, at: now.toISOString() };
    await holdBack(deps.kv, op, rule, held, until);
  } else if (target) await tellNow(telling, target, message);
  else if (channel) await tellChannel(telling, rule, event, channel);
  return true;
}

/** Mails to many people have a commit of their own, because a commit takes 1,000 rows. */
async function tellNow(
  { deps, op, alert: { project_id }, mailed }: Telling,
  target: TargetRow,
  message: TargetMessage,
): Promise<void> {
  if (target.kind !== "email") return await queueMessage(deps, op, target, message);
  const { project_id: place, id: target_id } = target;
  for (const address of await recipientsOfTarget(deps.kv, target)) mailed.add(address);
  putAlert(op, deps.clock.now(), { kind: "mails", project_id, place, target_id, message });
}

/** Adds the messages of a rule to a channel of the environment. */
async function tellChannel(
  telling: Telling,
  rule: RuleRow,
  event: AlertEvent,
  chosen: ChannelKind,
): Promise<void> {
  const { deps: { kv, config }, project, alert } = telling;
  const people = rule.project_id === 0 ? null : project;
  const found = people && alert.kind === "approval"
    ? await voteRecipients(kv, config, { ...people, alert: true }, alert.voters)
    : await channelRecipients(kv, config, people);
  for (const recipient of found) {
    if (recipient.channel === chosen) addDelivery(telling, recipient, event);
  }
}

/** Adds a mail to the person whose task or run it is, if they want it and get no other one. */
async function tellOwner(telling: Telling): Promise<void> {
  const { deps: { kv, config }, project, story: { own }, mailed } = telling;
  if (!project || own === null || !channels.email.isSetUp(config.alerts)) return;
  const user = await ownerWhoWants(kv, project, own);
  if (!user || mailed.has(user.email)) return;
  const recipient = { channel: "email", target: user.email, language: languageOf(user) } as const;
  addDelivery(telling, recipient, own.event);
}

/** Events that a feed leaves out, because schedules would fill it with them. */
const ORDINARY: readonly AlertEvent[] = ["succeeded", "changed"];

/** Adds the alert to the feed of its project. */
async function tellFeed({ deps: { kv, clock }, op, project, story }: Telling): Promise<void> {
  const event = story.subject.events.find((event) => !ORDINARY.includes(event));
  if (!project || event === undefined) return;
  const feed = await findFeed(kv, project.id);
  if (!feed.value) return;
  const { title, url, ...message } = story.message(feed.value.language, event);
  // Otherwise an entry could follow the deletion of its feed.
  op.check(feed);
  await addFeedEntry(kv, op, project.id, {
    id: crypto.randomUUID(),
    at: clock.now().toISOString(),
    event,
    title,
    text: factLines(message),
    url,
  });
}
