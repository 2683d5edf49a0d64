import type { ProjectScope } from "../../access/scope.ts";
import { conflict, invalidField } from "../../base/errors.ts";
import { listDriftRows } from "../../drift/list.ts";
import { findDriftSummary, readDriftRows } from "../../drift/store.ts";
import { isPlainHostName } from "../../execution/ansible/fields.ts";
import { hasAddress } from "../../hosts/rows.ts";
import { startTask } from "../../queue/start.ts";
import { requireRow } from "../../kv/row_reader.ts";
import { packHosts } from "../../tasks/host_store.ts";
import { findTask } from "../../tasks/repository.ts";
import type { TaskView } from "../../tasks/schema.ts";
import { parseStart } from "../../tasks/start_form.ts";
import type { FixDriftForm } from "./schema.ts";

/** Number of hosts that are fixed together. */
const HOSTS_MAX = 10_000;

/**
 * Starts a task that fixes hosts that differ: on exactly these hosts, and with a preview that
 * someone confirms. Throws 404 for an unknown template, 400 if none of the hosts differs, and 409
 * before the first check.
 */
export async function startFix(
  scope: ProjectScope<"run_tasks">,
  templateId: number,
  { hosts, commit }: FixDriftForm,
): Promise<TaskView> {
  const { deps: { kv }, projectId } = scope;
  await requireRow(kv, "templates", projectId, templateId);
  const summary = await findDriftSummary(kv, projectId, templateId);
  const check = summary && await findTask(kv, projectId, summary.task_id);
  if (!check) throw conflict("errors.drift.not_checked");
  const rows = hosts.length > 0
    ? await readDriftRows(kv, projectId, templateId, [...new Set(hosts)].filter(hasAddress))
    : (await listDriftRows(kv, projectId, {
      ...{ states: ["would_change"], templateId, q: "", limit: HOSTS_MAX },
    })).rows;
  const names = rows.flatMap((row) => row?.state === "would_change" ? row.host : []);
  if (names.length === 0) throw invalidField("hosts", "errors.drift.none_differs");
  // Results come from plays, so a name may be anything.
  const strange = names.find((name) => !isPlainHostName(name));
  if (strange !== undefined) throw conflict("errors.retry.host_name", { name: strange });
  const of = Object.values(summary.counts).reduce((sum, count) => sum + count, 0);
  const commit_hash = commit === "check" ? check.commit_hash : null;
  return await startTask(scope, parseStart({ template_id: templateId, commit_hash }), undefined, {
    retry: {
      task: check,
      hosts: packHosts(names),
      counts: { hosts: names.length, of },
      version: null,
    },
    isPreviewed: true,
  });
}
