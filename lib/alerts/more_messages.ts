import type { ProjectRow } from "../model/project_row.ts";
import type { Config } from "../base/settings/config.ts";
import type { Sentence } from "../base/errors.ts";
import { paths } from "../base/paths.ts";
import type { NoticeAlert } from "../events/notices.ts";
import type { Language } from "../i18n/catalogs.ts";
import { reasonText } from "../i18n/reason_text.ts";
import type { Ui } from "../i18n/ui.ts";
import { visible } from "../i18n/visible.ts";
import type { DriftedHosts } from "./drifted_hosts.ts";
import {
  type AlertFact,
  type AlertMessage,
  hostFacts,
  hostLink,
  publicUrl,
  speak,
} from "./message.ts";
import type { AlertEvent } from "./schema.ts";
import type { Authored, Starter } from "./starter.ts";

/** Longest value of a fact. */
const VALUE_MAX = 1000;

/** A run of a workflow that has ended. */
export interface EndedRun extends Starter {
  workflow_id: number;
  workflow_name: string;
  run_id: number;
  failed: boolean;
  reason: Sentence | null;
  /** The task that explains it, and the line of its output. */
  failed_task?: { id: number; template_id: number; line: number | null };
}

/** Returns the message for a run of a workflow that has ended. */
export function runMessage(
  config: Config,
  project: ProjectRow,
  run: Authored<EndedRun>,
  language: Language,
  event: AlertEvent,
): AlertMessage {
  const ui = speak(language);
  const { workflow_id, workflow_name, run_id, user_name, author, failed, reason } = run;
  const { failed_task } = run;
  const facts: [key: string, value: string | null][] = [
    ["project", project.name],
    ["author", author ?? user_name],
    ["reason", reason && ui.tell(reason)],
  ];
  return {
    title: ui.t(`alerts.title.run_${event}`, { workflow: workflow_name, run: run_id }),
    mood: failed ? "bad" : "good",
    facts: [
      ...facts.flatMap(([key, value]) =>
        value ? [{ label: ui.t(`alerts.fact.${key}`), value: value.slice(0, VALUE_MAX) }] : []
      ),
      ...failed_task ? [taskFact(config, project, ui, failed_task)] : [],
    ],
    url: publicUrl(config, paths.workflowRun(project.id, workflow_id, run_id)),
    project: { id: project.id, name: project.name },
    task: null,
    workflow_run: { id: run_id, workflow_id, workflow_name, ...failed_task && { failed_task } },
  };
}

/** Returns the fact that links to the task because of which a run failed. */
function taskFact(
  config: Config,
  project: ProjectRow,
  ui: Ui,
  { id, template_id, line }: NonNullable<EndedRun["failed_task"]>,
): AlertFact {
  const url = publicUrl(config, paths.task(project.id, template_id, id, line));
  return { label: ui.t("alerts.fact.task"), value: `#${id}`, ...url && { url } };
}

/** Returns the message for hosts that have stopped or begun to match their description. */
export function driftMessage(
  config: Config,
  project: ProjectRow,
  { event, template_id, task_id, hosts, count, left, differing, unchecked }: DriftedHosts,
  template: string,
  language: Language,
): AlertMessage {
  const ui = speak(language);
  const more = count > hosts.length ? ", …" : "";
  const host = count === 1 ? hostLink(config, project, hosts[0]) : undefined;
  const names = hosts.join(", ").slice(0, VALUE_MAX) + more;
  return {
    title: ui.t(`alerts.title.${event}`, { template, count }),
    // Services close what is reported as good.
    mood: event === "drifted" ? "bad" : left > 0 ? "neutral" : "good",
    facts: [
      { label: ui.t("alerts.fact.project"), value: project.name },
      ...host ? hostFacts(ui, host) : [{ label: ui.t("alerts.fact.hosts"), value: names }],
      ...left > 0 ? [{ label: ui.t("drift.differ"), value: ui.number(left) }] : [],
      ...linesFact(
        ui.t("drift.changes_title"),
        differing.map(({ play_task, hosts: count }) =>
          ui.labelled(visible(play_task), ui.t("start_task.hosts", { count }))
        ),
      ),
      ...linesFact(
        ui.t("drift.states.unknown"),
        unchecked.map((reason) => reasonText(ui, reason)),
      ),
    ],
    ...host && { host },
    drift: {
      ...{ template_id, template_name: template, task_id, hosts, count, left, differing },
      unchecked: unchecked.map((reason) => ({ ...reason, message: ui.tell(reason.message) })),
    },
    url: publicUrl(config, paths.task(project.id, template_id, task_id, null)),
    project: { id: project.id, name: project.name },
    task: null,
  };
}

/** Returns the fact with some texts, a line each; none without texts. */
const linesFact = (label: string, texts: string[]): AlertFact[] =>
  texts.length === 0 ? [] : [{ label, value: texts.join("\n").slice(0, VALUE_MAX) }];

/** An alert that waits for a digest. */
export interface HeldAlert {
  title: string;
  url: string | null;
  at: string;
}

/** Equal alerts that wait for a digest. */
export interface HeldGroup {
  title: string;
  url: string | null;
  last: string;
  count: number;
}

/** Returns the message with what a rule has held back. */
export function digestMessage(
  config: Config,
  project: ProjectRow | null,
  { total, groups }: { total: number; groups: readonly HeldGroup[] },
  language: Language,
): AlertMessage {
  const ui = speak(language);
  return {
    title: ui.t("alerts.title.digest", { count: total }),
    mood: "neutral",
    facts: groups.map(({ title, last, count }) => ({
      label: count === 1 ? title : ui.t("alerts.repeated", { title, count }),
      value: ui.exact(last),
    })),
    url: groups.at(-1)?.url ?? publicUrl(config, project ? paths.project(project.id) : "/"),
    project: project && { id: project.id, name: project.name },
    task: null,
  };
}

/** Returns the message of a notice about a project or the server. */
export function noticeMessage(
  config: Config,
  project: ProjectRow | null,
  { title, path, event }: Pick<NoticeAlert, "title" | "path" | "event">,
  language: Language,
): AlertMessage {
  const ui = speak(language);
  return {
    title: ui.tell(title),
    mood: event === "backup_too_old" ? "bad" : "neutral",
    facts: project ? [{ label: ui.t("alerts.fact.project"), value: project.name }] : [],
    url: publicUrl(config, path),
    project: project && { id: project.id, name: project.name },
    task: null,
  };
}
