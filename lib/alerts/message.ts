import { isPlain } from "../approvals/rule.ts";
import type { Language } from "../i18n/catalogs.ts";
import { translator } from "../i18n/translate.ts";
import type { Sentence } from "../base/errors.ts";
import { createUi, type Ui } from "../i18n/ui.ts";
import type { Config } from "../base/settings/config.ts";
import { paths } from "../base/paths.ts";
import type { ProjectRow } from "../model/project_row.ts";
import type { SentenceOrText } from "../base/sentence_or_text.ts";
import { FIRST_FAILURES } from "../tasks/reason.ts";
import { hasFailedPreview } from "../tasks/preview_state.ts";
import type { TaskRow } from "../model/task_row.ts";
import type { ReportedDrift } from "./drifted_hosts.ts";
import type { AlertEvent } from "./schema.ts";
import type { Authored, Starter } from "./starter.ts";
import type { Status } from "../model/status.ts";

/** Content of an alert as plain text. Each channel converts it to its own format. */
export interface AlertMessage {
  title: string;
  /** Chooses the color, if the channel has colors. */
  mood: "good" | "bad" | "question" | "neutral";
  facts: AlertFact[];
  /**
   * Address of the page to look at, at the line that reports the failure; null if the server's
   * public address is not configured.
   */
  url: string | null;
  /** Null for messages about the server. */
  project: { id: number; name: string } | null;
  /** Null for messages about anything else, and for tests. */
  task: AlertTask | null;
  /** The host that has failed first, and the address of its page. */
  host?: { name: string; url: string | null };
  /** The runner that the message is about, if there is one. */
  runner?: { id: number; name: string; state: LostRunner["state"] };
  /** The hosts that have stopped or begun to match, if the message is about them. */
  drift?: ReportedDrift;
  /** The run of a workflow that the message is about, if there is one. */
  workflow_run?: {
    id: number;
    workflow_id: number;
    workflow_name: string;
    failed_task?: { id: number; template_id: number; line: number | null };
  };
}

export interface AlertFact {
  label: string;
  value: string;
  /** Address of the page about the value. */
  url?: string;
}

interface AlertTask {
  id: number;
  template_id: number;
  template_name: string;
  status: Status;
  version: string | null;
  message: string;
  user_name: string | null;
  start: string | null;
  end: string | null;
}

function reasonOf(ui: Ui, { status, end_reason, approval }: TaskRow): string | null {
  const again = status === "waiting_confirmation" ? approval?.again : null;
  const reason = end_reason ?? again;
  return reason ? ui.tell(reason) : null;
}

const MOODS: Partial<Record<Status, AlertMessage["mood"]>> = {
  success: "good",
  error: "bad",
  waiting_confirmation: "question",
};

const EVENTS: Partial<Record<Status, AlertEvent>> = {
  success: "succeeded",
  error: "failed",
  waiting_confirmation: "waiting",
};

/** Last part of the key of a title. */
const TITLES: Partial<Record<AlertEvent, string>> = {
  succeeded: "success",
  failed: "error",
  waiting: "waiting_confirmation",
  recovered: "works_again",
  changed: "changed",
};

/**
 * Returns the message for a task that ended or waits for someone, in the reader's language. Rules
 * choose one of several events that it may be about.
 */
export function taskMessage(
  config: Config,
  project: ProjectRow,
  task: Authored<TaskRow>,
  language: Language,
  event: AlertEvent = EVENTS[task.status] ?? "succeeded",
): AlertMessage {
  const ui = speak(language);
  const version = task.version ?? task.incoming_version;
  const { n = 1, of = 1 } = task.attempt ?? {};
  const isRetried = event === "succeeded" && n > 1;
  const facts: [key: string, value: string | null][] = [
    ["project", project.name],
    ["task", `#${task.id}`],
    ["version", version],
    ["message", task.message || null],
    ["author", task.author ?? task.user_name],
    ["duration", durationOf(ui, task)],
    ["attempt", n > 1 ? ui.t("retry.count", { n, of }) : null],
    ["preview", task.status === "waiting_confirmation" ? predictionOf(ui, task) : null],
    ["reason", reasonOf(ui, task)],
  ];
  const host = failedHost(config, project, task);
  const question = task.status === "waiting_confirmation" ? questionOf(ui, task) : [];
  return {
    title: ui.t(`alerts.title.${isRetried ? "recovered" : TITLES[event]}`, {
      template: task.template_name,
      n,
    }),
    mood: MOODS[task.status] ?? "neutral",
    facts: [
      ...facts.map(([key, value]) => ({ label: ui.t(`alerts.fact.${key}`), value })),
      ...question,
    ].flatMap(({ label, value }) => value ? [{ label, value: value.slice(0, 1000) }] : [])
      .concat(hostFacts(ui, host)),
    ...host && { host },
    url: publicUrl(
      config,
      paths.task(project.id, task.template_id, task.id, task.failure_line ?? null),
    ),
    project: { id: project.id, name: project.name },
    task: {
      id: task.id,
      template_id: task.template_id,
      template_name: task.template_name,
      status: task.status,
      version,
      message: task.message.slice(0, 1000),
      user_name: task.user_name,
      start: task.start,
      end: task.end,
    },
  };
}

/** Returns the host whose failure is the reason for the end of a task; undefined if none is. */
function failedHost(config: Config, project: ProjectRow, { status, end_reason }: TaskRow) {
  const name = end_reason?.params?.host;
  if (status !== "error" || !FIRST_FAILURES.includes(end_reason?.key ?? "")) return undefined;
  return typeof name === "string" ? hostLink(config, project, name) : undefined;
}

/** Returns a host with the address of its page. */
export const hostLink = (config: Config, { id }: ProjectRow, name: string) => ({
  name,
  url: publicUrl(config, paths.host(id, name)),
});

/** Returns the fact that links to a host. */
export const hostFacts = (ui: Ui, host: AlertMessage["host"]): AlertFact[] =>
  host ? [{ label: ui.t("hosts.host"), value: host.name, ...host.url && { url: host.url } }] : [];

/** Returns the prediction for a waiting task; null if it was not previewed. */
function predictionOf(ui: Ui, { preview }: TaskRow): string | null {
  if (!preview?.made) return null;
  const { changed_hosts: count = 0, hosts = 0, carried_out = 0 } = preview;
  if (hasFailedPreview({ preview })) return ui.t("preview.failed_title");
  const would = ui.t("preview.would_change", { count, hosts });
  return carried_out > 0 ? `${would} ${ui.t("preview.ran", { count: carried_out })}` : would;
}

/** Returns the facts that people need before they approve a waiting task. */
function questionOf(ui: Ui, { approval }: TaskRow) {
  if (!approval || isPlain(approval)) return [];
  const { needed, approved, until, message } = approval;
  return [
    {
      label: ui.t("approvals.heading"),
      value: ui.t("approvals.missing", { count: needed - approved }),
    },
    { label: ui.t("approvals.limit"), value: until && ui.exact(until) },
    { label: ui.t("approvals.message"), value: message },
  ];
}

/** A runner that is lost, or that is back. */
export interface LostRunner {
  runner_id: number;
  name: string;
  state: "lost" | "back";
  last_seen: string;
}

/** Returns the message for a runner of a project or the server that is lost, or that is back. */
export function runnerMessage(
  config: Config,
  project: ProjectRow | null,
  { runner_id, name, state, last_seen }: LostRunner,
  language: Language,
): AlertMessage {
  const ui = speak(language);
  return {
    title: ui.t(`alerts.title.runner_${state}`, { runner: name }),
    mood: state === "lost" ? "bad" : "good",
    facts: [
      ...project ? [{ label: ui.t("alerts.fact.project"), value: project.name }] : [],
      ...state === "lost"
        ? [{ label: ui.t("alerts.fact.last_seen"), value: ui.exact(last_seen) }]
        : [],
    ],
    url: publicUrl(config, paths.runner(project?.id ?? null, runner_id)),
    project: project && { id: project.id, name: project.name },
    task: null,
    runner: { id: runner_id, name, state },
  };
}

/** A run of a workflow that waits for votes. */
export interface WaitingApproval extends Starter {
  workflow_id: number;
  workflow_name: string;
  run_id: number;
  step: SentenceOrText;
  message: string;
  /** Reason why they are asked again; missing at first. */
  again?: Sentence;
  /** People who may vote. Without any, everyone who may run tasks. */
  voters: { roles: readonly string[]; user_ids: readonly number[]; except: number | null };
}

/** Returns the message for a run that waits for votes. */
export function approvalMessage(
  config: Config,
  project: ProjectRow,
  { workflow_id, workflow_name, run_id, step, message, again, user_name, author }: Authored<
    WaitingApproval
  >,
  language: Language,
): AlertMessage {
  const ui = speak(language);
  const facts: [key: string, value: string | null][] = [
    ["project", project.name],
    ["step", ui.tell(step)],
    ["reason", again ? ui.tell(again) : null],
    ["message", message || null],
    ["author", author ?? user_name],
  ];
  return {
    title: ui.t("alerts.title.approval", { workflow: workflow_name, run: run_id }),
    mood: "question",
    facts: facts.flatMap(([key, value]) =>
      value === null ? [] : [{ label: ui.t(`alerts.fact.${key}`), value: value.slice(0, 1000) }]
    ),
    url: publicUrl(config, paths.workflowRun(project.id, workflow_id, run_id)),
    project: { id: project.id, name: project.name },
    task: null,
    workflow_run: { id: run_id, workflow_id, workflow_name },
  };
}

/** Returns the message that tests a channel or a target. */
export function testMessage(
  config: Config,
  project: ProjectRow | null,
  language: Language,
): AlertMessage {
  const { t } = speak(language);
  return {
    title: t("alerts.title.test"),
    mood: "neutral",
    facts: project ? [{ label: t("alerts.fact.project"), value: project.name }] : [],
    url: publicUrl(config, project ? paths.project(project.id) : "/"),
    project: project && { id: project.id, name: project.name },
    task: null,
  };
}

export const speak = (language: Language): Ui =>
  createUi({ language, theme: "light", basePath: "", t: translator(language) });

function durationOf(ui: Ui, { start, end }: TaskRow): string | null {
  return start && end ? ui.duration(Date.parse(end) - Date.parse(start)) : null;
}

const URL_MAX = 2_000;

/** Returns the public address of a page; null if it is too long, or if the server has none. */
export function publicUrl({ url, basePath }: Config, path: string): string | null {
  const address = url && url.origin + basePath + path;
  return address && address.length <= URL_MAX ? address : null;
}
