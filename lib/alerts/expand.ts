import type { Deps } from "../access/deps.ts";
import type { ProjectRow } from "../model/project_row.ts";
import type { Job } from "../jobs/worker.ts";
import { transact } from "../store/transact.ts";
import type { Atomic } from "../store/store.ts";
import { findFeed } from "./feed/repository.ts";
import { liveProject } from "./live_project.ts";
import { putAlert, type RoutedAlert, type StoryAlert } from "./outbox.ts";
import { chatOf, ownerWhoWants } from "./recipients.ts";
import { recipientsOfRoute } from "./routed.ts";
import { implicitRules } from "./rules/implicit.ts";
import { matchedEvent } from "./rules/match.ts";
import { quietUntil } from "./rules/quiet.ts";
import { listRuleRows } from "./rules/repository.ts";
import type { RuleRow } from "./rules/schema.ts";
import type { AlertEvent } from "./schema.ts";
import { type AlertStory, storyOf } from "./stories.ts";
import { findAlertTarget } from "./targets/repository.ts";
import type { TargetRow } from "./targets/rows.ts";
import { MEMBERS_ID, settingsTarget } from "./targets/settings_targets.ts";

/** Time for which a digest of repeated failures collects them. */
const DIGEST_MS = 24 * 60 * 60_000;

type ExpandDeps = Pick<Deps, "kv" | "config" | "clock">;

/** An alert whose targets are being chosen. */
interface Expansion {
  deps: ExpandDeps;
  op: Atomic;
  /** Null for an alert about the server. */
  project: ProjectRow | null;
  alert: StoryAlert;
  story: AlertStory;
}

/**
 * Replaces an alert with a row for each of its targets, in one commit. Each of these rows then has
 * commits of its own, because one commit cannot take them all.
 */
export const expandAlert = (
  deps: ExpandDeps,
  job: Job<object>,
  alert: StoryAlert,
): Promise<void> =>
  transact(deps.kv, async (op) => {
    await job.end(op);
    const project = await liveProject(deps.kv, op, alert.project_id);
    const story = project === undefined ? null : await storyOf(deps, project, alert);
    if (story) await routeAlert({ deps, op, project: project ?? null, alert, story });
  });

async function routeAlert(expansion: Expansion): Promise<void> {
  const { deps, op } = expansion;
  const routes = await routesOf(expansion);
  for (const { row } of routes) putAlert(op, deps, row);
  const own = await ownRoute(expansion, routes);
  if (own) putAlert(op, deps, own);
  await addToFeed(expansion);
}

interface Route {
  target: TargetRow;
  row: RoutedAlert;
}

/** Returns the targets that rules choose. A receiver gets each alert once. */
async function routesOf(expansion: Expansion): Promise<Route[]> {
  const { deps, project, story, alert } = expansion;
  const rules = await rulesFor(expansion);
  const isForHosts = rules.some(({ hosts }) => hosts.length > 0);
  const hosts = isForHosts ? await story.readHosts() : [];
  const routes = new Map<string, Route>();
  for (const rule of rules) {
    const event = matchedEvent(rule, { ...story.subject, project_id: alert.project_id, hosts });
    const target = event && await findAlertTarget(deps, rule.project_id, rule.target_id);
    if (!event || !target?.active) continue;
    const receiver = receiverOf(deps, target, rule.project_id === 0 ? null : project);
    const row = routes.has(receiver) ? null : routeOf(expansion, rule, event);
    if (row) routes.set(receiver, { target, row });
  }
  return [...routes.values()];
}

/** Returns the rules of the alert's project and of the server. */
async function rulesFor({ deps: { kv, config }, project, alert }: Expansion): Promise<RuleRow[]> {
  const ofServer = await listRuleRows(kv, 0);
  const ofProject = project ? await listRuleRows(kv, project.id) : [];
  const own = project ? ofProject : ofServer;
  const implicit = own.length === 0 ? implicitRules(config, project, alert) : [];
  return [...implicit, ...ofProject, ...ofServer];
}

/** Returns a name for what a target reaches. Some targets of the settings depend on the project. */
function receiverOf({ config }: ExpandDeps, target: TargetRow, project: ProjectRow | null): string {
  const { id, kind, project_id } = target;
  if (id > 0) return `${project_id}/${id}`;
  if (kind === "members") return `members of ${project?.id}`;
  return kind === "telegram" ? `chat ${chatOf(config.alerts, project)}` : kind;
}

/** Returns the way of an alert to the target of a rule; null for a failure that is no news. */
function routeOf(
  { deps: { clock }, alert, story }: Expansion,
  { id: rule_id, project_id: place, target_id, repeat, digest, quiet }: RuleRow,
  event: AlertEvent,
): RoutedAlert | null {
  const now = clock.now();
  const isRepeated = event === "failed" && story.isAgain && repeat === "change";
  if (isRepeated && !digest) return null;
  const quietEnd = quiet && quietUntil(quiet, now);
  const until = quietEnd ?? (isRepeated ? new Date(now.getTime() + DIGEST_MS) : null);
  return {
    kind: "routed",
    project_id: alert.project_id,
    about: { alert, event },
    place,
    target_id,
    ...until && { hold: { rule_id, until: until.toISOString() } },
  };
}

/** Returns a mail to the person whose task or run it is, if they want it and get no other one. */
async function ownRoute(
  { deps, project, alert, story: { own, isSeen } }: Expansion,
  routes: Iterable<Route>,
): Promise<RoutedAlert | null> {
  if (!project || !own || !settingsTarget(deps.config, MEMBERS_ID)) return null;
  const user = await ownerWhoWants(deps.kv, project, own, isSeen);
  if (!user) return null;
  for (const { target, row } of routes) {
    const mailed = row.hold
      ? []
      : await recipientsOfRoute(deps, project, target, { ...row, isSeen });
    if (mailed.some(({ to }) => to === user.email)) return null;
  }
  const about = { alert, event: own.event };
  const { id } = project;
  return { kind: "routed", project_id: id, about, place: id, target_id: MEMBERS_ID, own };
}

/** Events that a feed leaves out, because schedules would fill it with them. */
const ORDINARY: readonly AlertEvent[] = ["succeeded", "changed"];

/** Adds the alert for the feed of its project. */
async function addToFeed({ deps, op, project, alert, story }: Expansion) {
  const event = story.subject.events.find((event) => !ORDINARY.includes(event));
  if (!project || event === undefined || !(await findFeed(deps.kv, project.id)).value) return;
  putAlert(op, deps, { kind: "feed", project_id: project.id, about: alert, event });
}
