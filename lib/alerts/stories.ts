import type { Deps } from "../access/deps.ts";
import type { ProjectRow } from "../model/project_row.ts";
import type { Language } from "../i18n/catalogs.ts";
import type { RecordedPerson } from "../base/person.ts";
import { rowKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { findHead, listHosts } from "../results/result_store.ts";
import { hostStatus, isFailure } from "../results/statuses.ts";
import { readNamePerson } from "../people/users/name_person.ts";
import type { OwnEvent } from "../model/account_row.ts";
import type { TaskRow } from "../model/task_row.ts";
import { type AlertMessage, approvalMessage, runnerMessage, taskMessage } from "./message.ts";
import type { DriftedHosts } from "./drifted_hosts.ts";
import { driftMessage, noticeMessage, runMessage } from "./more_messages.ts";
import type { RunAlert, StoryAlert, TaskAlert } from "./outbox.ts";
import type { OutcomeChange } from "./outcomes.ts";
import type { IsSeen } from "./recipients.ts";
import type { Subject } from "./rules/match.ts";
import { type AlertEvent, OWN_EVENT_OF } from "./schema.ts";
import type { DriftRow } from "../model/drift_row.ts";
import { findTask } from "../model/tasks.ts";
import { findTemplateHead } from "../model/templates.ts";

/** An alert as rules and recipients need it. */
export interface AlertStory {
  /** `hosts` is empty; `readHosts` reads them if a rule asks for hosts. */
  subject: Omit<Subject, "project_id">;
  readHosts(): Promise<string[]>;
  /** The person whose task or run it is about, and what has happened to it. */
  own: { user_id: number; event: OwnEvent } | null;
  /** Whether a member sees what it is about. */
  isSeen: IsSeen;
  /** Whether it repeats what the one before has reported. */
  isAgain: boolean;
  /** Equal for alerts about the same thing. */
  key: string;
  /** Returns the message for the event that a rule has chosen. */
  message(language: Language, event: AlertEvent): AlertMessage;
}

type StoryDeps = Pick<Deps, "kv" | "config">;

/** Returns the story of an alert; null if its template is muted, or if its task was deleted. */
export async function storyOf(
  deps: StoryDeps,
  project: ProjectRow | null,
  alert: StoryAlert,
): Promise<AlertStory | null> {
  const { config } = deps;
  if (alert.kind === "lost_runner") {
    return simple(
      "runner_lost",
      `runner-${alert.runner_id}`,
      (language) => runnerMessage(config, project, alert, language),
    );
  }
  if (alert.kind === "notice") {
    const { event, template_id } = alert;
    const key = `${event}-${alert.project_id ?? 0}-${template_id ?? 0}`;
    const about = await aboutTemplate(deps, project, template_id);
    return about && {
      ...simple(event, key, (language) => noticeMessage(config, project, alert, language)),
      subject: { ...NO_SUBJECT, ...about, events: [event] },
      isSeen: (sight) => template_id === null || sight.maySee("templates", template_id),
    };
  }
  if (!project) return null;
  if (alert.kind === "task") return await taskStory(deps, project, alert);
  if (alert.kind === "drift") {
    const about = await aboutTemplate(deps, project, alert.template_id);
    return about && {
      ...simple(
        alert.event,
        `drift-${alert.template_id}`,
        (language) => driftMessage(config, project, alert, about.name, language),
      ),
      subject: { ...NO_SUBJECT, ...about, events: [alert.event] },
      readHosts: () => changedHostNames(deps.kv, project, alert),
      isSeen: (sight) => sight.seesAllTasks && sight.maySee("templates", alert.template_id),
    };
  }
  const { workflow_id } = alert;
  const author = await authorOf(deps, alert);
  if (alert.kind === "approval") {
    const about = { ...alert, author };
    return {
      ...simple(
        "waiting",
        `run-${alert.run_id}`,
        (language) => approvalMessage(config, project, about, language),
      ),
      subject: { ...NO_SUBJECT, workflow_id, events: ["waiting"] },
      own: ownOf(alert.user_id, "waiting"),
      isSeen: seesRun(alert),
    };
  }
  const about = { ...alert, author };
  return {
    ...simple(
      "failed",
      `workflow-${workflow_id}`,
      (language, event) => runMessage(config, project, about, language, event),
    ),
    subject: { ...NO_SUBJECT, workflow_id, events: eventsOfRun(alert) },
    own: ownOf(alert.user_id, alert.failed ? "failed" : "succeeded"),
    isSeen: seesRun(alert),
    isAgain: alert.turn === "failed_again",
  };
}

/** Returns who sees a run, and the task that explains it. */
const seesRun = (
  { workflow_id, user_id, failed_task }: Pick<RunAlert, "workflow_id" | "failed_task"> & {
    user_id?: number | null;
  },
): IsSeen =>
(sight) =>
  sight.maySee("workflows", workflow_id) && (sight.seesAllTasks || user_id === sight.userId) &&
  (!failed_task || sight.maySee("templates", failed_task.template_id));

/** Returns the person who started a task or a run, told apart from others; undefined for none. */
async function authorOf(
  { kv }: StoryDeps,
  { user_id = null, username, user_name }: Partial<RecordedPerson>,
): Promise<string | undefined> {
  const namePerson = await readNamePerson(kv);
  return user_name ? namePerson({ user_id, username, user_name }) : undefined;
}

/** Number of states that are searched for hosts that an alert does not name. */
const TURNED_MAX = 10_000;

/** Returns the names of all hosts that have stopped or begun to match. */
async function changedHostNames(
  kv: Store,
  { id }: ProjectRow,
  { template_id, task_id, hosts, count }: DriftedHosts,
): Promise<string[]> {
  if (hosts.length === count) return hosts;
  const prefix = rowKeys.driftOf(id, template_id);
  const turned = [...hosts];
  const rows = kv.list<DriftRow>({ prefix }, { limit: TURNED_MAX, batchSize: 500 });
  for await (const { value } of rows) if (value.turned_by === task_id) turned.push(value.host);
  return turned;
}

const NO_SUBJECT: AlertStory["subject"] = {
  events: [],
  template_id: null,
  view_id: null,
  workflow_id: null,
  hosts: [],
};

const simple = (event: AlertEvent, key: string, message: AlertStory["message"]): AlertStory => ({
  subject: { ...NO_SUBJECT, events: [event] },
  readHosts: () => Promise.resolve([]),
  own: null,
  isSeen: () => true,
  isAgain: false,
  key,
  message,
});

const eventsOfRun = ({ failed, turn }: Pick<RunAlert, "failed" | "turn">): AlertEvent[] =>
  failed ? ["failed"] : afterSuccess(turn);

const afterSuccess = (turn: OutcomeChange | undefined): AlertEvent[] =>
  turn === "recovered" ? ["recovered", "succeeded"] : ["succeeded"];

/** Returns what rules compare with a template; null if its alerts are muted. */
async function aboutTemplate(
  { kv }: StoryDeps,
  project: ProjectRow | null,
  template_id: number | null,
) {
  if (!project || template_id === null) return { template_id: null, view_id: null, name: "" };
  const template = await findTemplateHead(kv, project.id, template_id);
  if (template?.muted) return null;
  return { template_id, view_id: template?.view_id ?? null, name: template?.name ?? "" };
}

const ownOf = (user_id: number | null | undefined, event: OwnEvent): AlertStory["own"] =>
  user_id ? { user_id, event } : null;

async function taskStory(
  deps: StoryDeps,
  project: ProjectRow,
  { task_id, status, ...how }: TaskAlert,
): Promise<AlertStory | null> {
  const { kv, config } = deps;
  const task = await findTask(kv, project.id, task_id);
  const about = task && await aboutTemplate(deps, project, task.template_id);
  if (!task || !about) return null;
  const event = OWN_EVENT_OF[status] ?? "succeeded";
  const author = await authorOf(deps, task);
  return {
    subject: {
      ...NO_SUBJECT,
      ...about,
      workflow_id: task.workflow?.workflow_id ?? null,
      events: await eventsOfTask(kv, task, { status, ...how }),
    },
    readHosts: () => hostsOf(kv, task_id, status === "error"),
    // The run reports how its steps have ended.
    own: task.workflow && event !== "waiting" ? null : ownOf(task.user_id, event),
    isSeen: (sight) =>
      sight.maySeeTask(task) &&
      (!task.workflow || sight.maySee("workflows", task.workflow.workflow_id)),
    isAgain: how.turn === "failed_again",
    key: `template-${task.template_id}`,
    message: (language, event) =>
      taskMessage(config, project, { ...task, status, author }, language, event),
  };
}

async function eventsOfTask(
  kv: Store,
  { id, dry_run, suppress_error_alerts }: TaskRow,
  { status, turn, quiet_success, quiet_error }: Omit<TaskAlert, "kind" | "project_id" | "task_id">,
): Promise<AlertEvent[]> {
  if (status === "error") return quiet_error ? [] : ["failed"];
  if (status === "waiting_confirmation") return ["waiting"];
  const hasChanged = !dry_run && ((await findHead(kv, id))?.counts.changed ?? 0) > 0;
  // The end of a failure that was not reported is no news.
  const events = afterSuccess(suppress_error_alerts ? undefined : turn);
  if (hasChanged) events.splice(-1, 0, "changed");
  return quiet_success ? events.filter((event) => event === "recovered") : events;
}

/** Returns the names of the hosts that have failed, or that were changed. */
async function hostsOf(kv: Store, taskId: number, hasFailed: boolean): Promise<string[]> {
  const hosts = await listHosts(kv, taskId);
  const isMeant = hasFailed
    ? (host: typeof hosts[number]) => isFailure(hostStatus(host))
    : (host: typeof hosts[number]) => host.changed > 0;
  return hosts.filter(isMeant).map(({ name }) => name);
}
