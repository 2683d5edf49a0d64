import { withoutHidden } from "../../execution/git/userinfo.ts";
import type { TemplateRow } from "../../templates/schema.ts";
import { uniqueNames } from "./names.ts";
import type { ProjectRows } from "./rows.ts";
import type { BackupFile, BackupFormat } from "./schema.ts";
import { entryName, exportIntegration, exportTemplate, type Names } from "./export_entries.ts";

/** Returns the backup file of a project: everything but secrets, members and history. */
export function exportProject(rows: ProjectRows, format: BackupFormat): BackupFile {
  const names = namesOf(rows);
  const schedules = Map.groupBy(rows.schedules, ({ template_id }) => template_id);
  return withoutNulls({
    generator: "callboard",
    meta: exportMeta(rows),
    keys: rows.keys.map(({ id, type }) => ({ ...names.keys.get(id)!, type })),
    environments: rows.environments.map(({ id, json, env, secrets }) => ({
      ...names.environments.get(id)!,
      json,
      env,
      secrets: secrets.map(({ type, name }) => ({ type, name })),
    })),
    // Both names of the member, one for each version that reads it.
    views: rows.views.map(({ id, position }) => ({
      ...names.views.get(id)!,
      title: names.views.get(id)!.name,
      position,
    })),
    repositories: rows.repositories.map(({ id, git_url, git_branch, ssh_key_id }) => ({
      ...names.repositories.get(id)!,
      // Login and password must be typed in again after a restore, like those of keys.
      git_url: withoutHidden(git_url),
      git_branch,
      ssh_key: entryName(names.keys, ssh_key_id),
    })),
    inventories: rows.inventories.map((row) => ({
      ...names.inventories.get(row.id)!,
      type: row.type,
      inventory: row.inventory,
      ssh_key: entryName(names.keys, row.ssh_key_id),
      become_key: entryName(names.keys, row.become_key_id),
      repository: entryName(names.repositories, row.repository_id),
    })),
    templates: sourcesFirst(rows.templates).map((row) =>
      exportTemplate(row, schedules.get(row.id) ?? [], names, format)
    ),
    integrations: rows.integrations.map((row) => exportIntegration(row, names)),
    integration_aliases: rows.aliases.map(({ text }) => text),
  });
}

function namesOf(rows: ProjectRows): Names {
  return {
    keys: uniqueNames(rows.keys),
    environments: uniqueNames(rows.environments),
    views: uniqueNames(rows.views.map(({ id, title }) => ({ id, name: title }))),
    repositories: uniqueNames(rows.repositories),
    inventories: uniqueNames(rows.inventories),
    templates: uniqueNames(rows.templates),
  };
}

function exportMeta({ project }: ProjectRows): BackupFile["meta"] {
  const { name, alert, alert_chat, max_parallel_tasks, type, retention = null } = project;
  return { name, alert, alert_chat, max_parallel_tasks, type, retention };
}

/**
 * Sorts templates so that those that others deploy come first. Older servers create them in the
 * file's order.
 */
function sourcesFirst(templates: TemplateRow[]): TemplateRow[] {
  const byId = new Map(templates.map((row) => [row.id, row]));
  const ordered = new Set<TemplateRow>();
  const add = (row: TemplateRow) => {
    if (ordered.has(row)) return;
    if (row.build_template_id !== null) add(byId.get(row.build_template_id)!);
    ordered.add(row);
  };
  templates.forEach(add);
  return [...ordered];
}

/**
 * Removes members that are null at every depth, except inside values that people wrote themselves.
 */
function withoutNulls<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutNulls) as T;
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null)
    .map(([name, member]) => [name, AS_WRITTEN.has(name) ? member : withoutNulls(member)]);
  return Object.fromEntries(kept) as T;
}

const AS_WRITTEN = new Set(["task_params", "survey_vars"]);
