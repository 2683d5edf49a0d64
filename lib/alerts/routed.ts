import type { Deps } from "../access/deps.ts";
import type { ProjectRow } from "../model/project_row.ts";
import type { Job } from "../jobs/worker.ts";
import { transact } from "../store/transact.ts";
import type { Atomic } from "../store/store.ts";
import { FULL } from "../store/rows/write_all.ts";
import { forgetOldDeliveries, logDelivery, logKey } from "./deliveries/log.ts";
import { holdBack } from "./digests.ts";
import { addFeedEntry, findFeed } from "./feed/repository.ts";
import { liveProject } from "./live_project.ts";
import { digestMessage } from "./more_messages.ts";
import { type FeedAlert, messageJobs, type RoutedAlert } from "./outbox.ts";
import {
  type IsSeen,
  languageOf,
  ownerWhoWants,
  type Recipient,
  recipientsOf,
} from "./recipients.ts";
import { storyOf } from "./stories.ts";
import type { Language } from "../i18n/catalogs.ts";
import type { TargetMessage } from "./target_message.ts";
import { findAlertTarget } from "./targets/repository.ts";
import type { TargetRow } from "./targets/rows.ts";
import { factLines } from "./text.ts";
import { putJob } from "../jobs/put.ts";
import { fitRow } from "../store/rows/fit_row.ts";

type RoutedDeps = Pick<Deps, "kv" | "config" | "clock">;

/** Replaces an alert for a target with a message for each recipient, or adds it to a digest. */
export const storeRouted = (
  deps: RoutedDeps,
  job: Job<object>,
  route: RoutedAlert,
): Promise<void> =>
  // Others may add to the same digest.
  transact(deps.kv, async (op) => {
    const rest = await addRouted(deps, op, route);
    if (rest) await job.again(op, deps.clock.now(), rest);
    else await job.end(op);
  });

/** Adds what follows from an alert for a target. Returns what is left of it for another commit. */
async function addRouted(
  deps: RoutedDeps,
  op: Atomic,
  route: RoutedAlert,
): Promise<RoutedAlert | null> {
  const project = await liveProject(deps.kv, op, route.project_id);
  const target = await findAlertTarget(deps, route.place, route.target_id);
  const writer = project !== undefined && target?.active && await writerOf(deps, project, route);
  if (!writer) return null;
  const { write, isSeen } = writer;
  if (route.hold) {
    const { title, url } = write(target.language);
    const held = { title, url, at: deps.clock.now().toISOString() };
    await holdBack(deps, op, route.place, route.hold, held);
    return null;
  }
  const recipients = await recipientsOfRoute(deps, project, target, { ...route, isSeen });
  return await addMessages(deps, op, target, { route, recipients, write });
}

type Write = (language: Language) => TargetMessage;

interface Writer {
  write: Write;
  /** Whether a member sees all that the message is about. */
  isSeen: IsSeen;
}

/** Returns what creates the message in a language; null if there is nothing to report any more. */
async function writerOf(
  deps: RoutedDeps,
  project: ProjectRow | null,
  { about, place, project_id }: RoutedAlert,
): Promise<Writer | null> {
  if ("held" in about) {
    const write: Write = (language) => ({
      ...digestMessage(deps.config, project, about.held, language),
      event: "digest",
      story: `callboard-digest-${place}-${about.rule_id}`,
    });
    // A digest is about several templates, so only those who see everything get it.
    return { write, isSeen: (sight) => sight.seesAll };
  }
  const { alert, event } = about;
  const story = await storyOf(deps, project, alert);
  const write: Write = (language) => ({
    ...story!.message(language, event),
    event,
    story: `callboard-${project_id ?? 0}-${story!.key}`,
  });
  return story && { write, isSeen: story.isSeen };
}

/** Returns the people and chats that an alert for a target reaches. */
export async function recipientsOfRoute(
  deps: RoutedDeps,
  project: ProjectRow | null,
  target: TargetRow,
  { place, about, own, isSeen }: RoutedAlert & { isSeen: IsSeen },
): Promise<Recipient[]> {
  if (own) {
    const user = project && await ownerWhoWants(deps.kv, project, own, isSeen);
    return user ? [{ to: user.email, language: languageOf(user) }] : [];
  }
  const voters = "alert" in about && about.alert.kind === "approval"
    ? about.alert.voters
    : undefined;
  return await recipientsOf(deps, target, {
    project: place === 0 ? null : project,
    voters,
    isSeen,
  });
}

/** Adds the messages. Returns the alert for the rest of them if one commit cannot take all. */
async function addMessages(
  deps: RoutedDeps,
  op: Atomic,
  target: TargetRow,
  { route, recipients, write }: { route: RoutedAlert; recipients: Recipient[]; write: Write },
): Promise<RoutedAlert | null> {
  let { after } = route;
  for (const { to, language } of recipients) {
    if (after !== undefined && to <= after) continue;
    if (op.used >= FULL) return { ...route, after };
    queueMessage(deps, op, target, { to, message: write(language), place: route.place });
    after = to;
  }
  // Otherwise its attempts do this.
  if (target.paused) {
    await forgetOldDeliveries(deps.kv, op, { place: target.project_id, target_id: target.id });
  }
  return null;
}

/** Replaces an alert for a feed with its entry. */
export const storeFeedEntry = (
  { kv, clock, config }: RoutedDeps,
  job: Job<object>,
  { project_id, about, event }: FeedAlert,
): Promise<void> =>
  transact(kv, async (op) => {
    await job.end(op);
    const project = await liveProject(kv, op, project_id);
    const feed = await findFeed(kv, project_id);
    const story = project && feed.value && await storyOf({ kv, config }, project, about);
    if (!story) return;
    const { title, url, ...message } = story.message(feed.value!.language, event);
    // Otherwise an entry could follow the deletion of its feed.
    op.check(feed);
    await addFeedEntry(kv, op, project_id, {
      id: crypto.randomUUID(),
      at: clock.now().toISOString(),
      event,
      title,
      text: factLines(message),
      url,
    });
  });

const MESSAGE_BYTES_MAX = 56 * 1024;

interface Queued {
  to: string;
  message: TargetMessage;
  /** Project of the rule that sends it; 0 for one of the server. */
  place: number;
}

/** Adds a message to a target to `op`, with its entry in the log. A paused one is skipped. */
function queueMessage(
  { clock }: Pick<Deps, "clock">,
  op: Atomic,
  target: TargetRow,
  { to, message: given, place }: Queued,
): void {
  const now = clock.now();
  const message = fitRow(given, MESSAGE_BYTES_MAX);
  const { paused } = target;
  const log = logKey(target, place, now);
  logDelivery(op, log, {
    event: message.event,
    title: message.title,
    to,
    status: paused ? "skipped" : "waiting",
    attempts: 0,
    next_attempt: paused ? null : now.toISOString(),
    code: null,
    reason: null,
  });
  if (paused) return;
  const project_id = message.project?.id ?? null;
  putJob(op, { clock }, messageJobs, { project_id, to, message, log });
}
