import { invalidField } from "../../base/errors.ts";
import { rowKeys } from "../../store/keys.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { TemplateRow } from "../../templates/schema.ts";
import { listTemplateTasks } from "../../tasks/repository.ts";
import { findTask } from "../../model/tasks.ts";
import type { TaskRow } from "../../model/task_row.ts";
import type { TaskDraft } from "../../tasks/insert.ts";

/**
 * Assigns a build its version in the same atomic operation as the task, so that no two builds share
 * one. A number is never assigned twice, even if its build fails.
 */
export async function takeVersion(
  kv: Store,
  op: Atomic,
  task: TaskRow,
  template: TemplateRow,
): Promise<TaskRow> {
  if (template.type !== "build" || task.check) return task;
  if (!template.start_version) {
    throw invalidField("template_id", "errors.templates.no_start_version", { name: template.name });
  }
  const last = await kv.get<string>(rowKeys.buildVersion(task.project_id, template.id));
  const version = nextVersion(template.start_version, last.value);
  op.check(last).set(last.key, version);
  return { ...task, version };
}

/**
 * Attaches a build to a deploy: the requested one, or else the latest successful one. The task gets
 * the build's version and commit, whatever commit was requested. Throws 400 if there is no such
 * build.
 */
export async function attachBuild(
  kv: Store,
  task: TaskDraft,
  template: TemplateRow,
  buildTaskId: number | null,
): Promise<TaskDraft> {
  if (template.type !== "deploy") return task;
  if (template.build_template_id === null) {
    throw invalidField("template_id", "errors.templates.no_build_template", {
      name: template.name,
    });
  }
  const source = buildTaskId === null
    ? await newestSuccess(kv, template)
    : await findTask(kv, template.project_id, buildTaskId);
  if (!source) throw invalidField("build_task_id", "errors.build_version_required");
  if (source.template_id !== template.build_template_id || source.status !== "success") {
    throw invalidField("build_task_id", "errors.not_a_build");
  }
  const deploy = {
    ...task,
    build_task_id: source.id,
    incoming_version: source.version ?? source.incoming_version,
  };
  if (source.repository_id !== task.repository_id || source.commit_hash === null) return deploy;
  const { commit_hash, commit_message } = source;
  return { ...deploy, commit_hash, commit_message, commit_asked: false };
}

/**
 * Returns the latest successful task of the build template or, in a chain, of the deploy template.
 */
async function newestSuccess(kv: Store, template: TemplateRow): Promise<TaskRow | null> {
  const { project_id: projectId, build_template_id: sourceId } = template;
  if (sourceId === null) return null;
  const [newest] = await listTemplateTasks(kv, projectId, sourceId, { limit: 1, built: true });
  return newest ?? null;
}

/**
 * Returns the version of a template's next build. The first one is `startVersion`. Later ones
 * increment the last group of digits of the previous version and preserve leading zeros.
 * "1.4.8" after "1.4.9" -> "1.4.10"; "v2-rc" after "v7-rc" -> "v8-rc"; "r007" after "r009" ->
 * "r010".
 * A start version of another shape, or beyond the previous version, begins anew.
 */
export function nextVersion(startVersion: string, last: string | null): string {
  const start = split(startVersion);
  const between = start && last !== null ? countedIn(start, last) : null;
  if (!start || between === null) return startVersion;
  const { prefix, digits, suffix } = start;
  const following = BigInt(between) + 1n;
  if (BigInt(digits) > following) return startVersion;
  const width = Math.max(digits.length, between.startsWith("0") ? between.length : 0);
  return prefix + String(following).padStart(width, "0") + suffix;
}

/** Whether a version of `startVersion`'s shape comes after `last`, the previously assigned one. */
export function isLaterVersion(
  startVersion: string,
  version: string,
  last: string | null,
): boolean {
  const start = split(startVersion);
  const counted = start && countedIn(start, version);
  if (!counted) return false;
  const before = last && countedIn(start, last);
  return !before || BigInt(counted) > BigInt(before);
}

/** Returns the digits of a version that are incremented; null if it has another shape. */
function countedIn({ prefix, suffix }: Parts, version: string): string | null {
  if (!version.startsWith(prefix) || !version.endsWith(suffix)) return null;
  const between = version.slice(prefix.length, version.length - suffix.length);
  return /^\d+$/.test(between) ? between : null;
}

interface Parts {
  prefix: string;
  digits: string;
  suffix: string;
}

function split(version: string): Parts | null {
  const match = /^(.*?)(\d+)(\D*)$/s.exec(version);
  return match && { prefix: match[1], digits: match[2], suffix: match[3] };
}
