import { userIdOf } from "../access/actor.ts";
import type { ProjectScope } from "../access/scope.ts";
import { requireMayEdit, requireMayRun } from "../access/sight.ts";
import { conflict, invalidField, notFound } from "../base/errors.ts";
import { recordEvent } from "../events/record.ts";
import { hasAddress } from "../hosts/rows.ts";
import { putJob } from "../jobs/put.ts";
import { transact } from "../store/transact.ts";
import type { Atomic } from "../store/store.ts";
import { FULL } from "../store/rows/write_all.ts";
import { acceptedJobs } from "./outbox.ts";
import type { AcceptedRow, DriftRow } from "../model/drift_row.ts";
import type { AcceptDriftForm } from "./schema.ts";
import { requireDriftSeen, requireTemplateName } from "./service.ts";
import { openDrift, readDriftRows } from "./store.ts";

/**
 * Accepts the differences of some hosts until a time. Throws 404 for a host without a state, 409
 * for one that does not differ, and 400 for a time in the past.
 */
export async function acceptDrift(
  scope: ProjectScope<"run_tasks">,
  templateId: number,
  { hosts, until, note }: AcceptDriftForm,
): Promise<void> {
  const { deps, actor } = scope;
  await requireMayRun(scope, "templates", templateId);
  const [now, end] = [deps.clock.now().getTime(), Date.parse(until)];
  if (end <= now) throw invalidField("until", "errors.drift.past");
  const person = actor.kind === "user" ? actor : null;
  await changeStates(
    scope,
    templateId,
    hosts,
    "drift_accepted",
    (row) => {
      if (row.state !== "would_change") {
        throw conflict("errors.drift.no_difference", {
          name: row.host,
        });
      }
      const accepted: AcceptedRow = {
        until: end,
        note,
        by: person && userIdOf(person),
        by_name: person?.name ?? "",
        at: now,
        changes: row.changes,
        change_ids: row.change_ids,
      };
      return { ...row, accepted, tell_again: true };
    },
    { note, until: new Date(end).toISOString() },
    (op, names) => {
      const due = { project_id: scope.projectId, template_id: templateId, hosts: names };
      putJob(op, deps, acceptedJobs, due, new Date(end));
    },
  );
}

/** Ends the acceptance of differences. Throws 404 for a host without a state. */
export async function unacceptDrift(
  scope: ProjectScope<"run_tasks">,
  templateId: number,
  hosts: string[],
): Promise<void> {
  await requireMayRun(scope, "templates", templateId);
  await changeStates(scope, templateId, hosts, "drift_unaccepted", (row) => withoutAccepted(row));
}

/** Deletes the state of a host. The next check that reaches the host creates it again. */
export async function forgetDrift(
  scope: ProjectScope<"manage_resources">,
  templateId: number,
  host: string,
): Promise<void> {
  await requireMayEdit(scope, "templates", templateId);
  await changeStates(scope, templateId, [host], "drift_forgotten", () => null);
}

export function withoutAccepted(row: DriftRow): DriftRow {
  const { accepted: _accepted, ...rest } = row;
  return rest;
}

/** Number of states that are read together. A commit has room for about as many. */
const HOSTS_TOGETHER = 100;

/**
 * Changes the states of some hosts, with an event. Many hosts and long names take several commits,
 * each with an event of its own. Nothing is changed if `change` throws for one of the hosts.
 */
async function changeStates(
  scope: ProjectScope,
  templateId: number,
  hosts: string[],
  action: string,
  change: (row: DriftRow) => DriftRow | null,
  params: Record<string, string> = {},
  also: (op: Atomic, names: string[]) => void = () => {},
): Promise<void> {
  const { deps, actor, projectId } = scope;
  const { kv } = deps;
  await requireDriftSeen(scope, templateId);
  let left = [...new Set(hosts)];
  const name = await requireTemplateName(kv, projectId, templateId);
  if (!left.every(hasAddress)) throw notFound();
  const changesOf = async (names: string[]) =>
    (await readDriftRows(kv, projectId, templateId, names)).map((before) => {
      if (!before) throw notFound();
      return { before, after: change(before) };
    });
  // The first commit reads the first ones.
  for (let at = HOSTS_TOGETHER; at < left.length; at += HOSTS_TOGETHER) {
    await changesOf(left.slice(at, at + HOSTS_TOGETHER));
  }
  while (left.length > 0) {
    const changed = await transact(kv, async (op) => {
      const drift = await openDrift(kv, op, projectId, templateId);
      if (!drift) throw notFound();
      const rows = await changesOf(left.slice(0, HOSTS_TOGETHER));
      const full = rows.findIndex(({ before, after }) => {
        if (op.used > FULL) return true;
        drift.put(before, after);
        return false;
      });
      const names = left.slice(0, full < 0 ? rows.length : full);
      await drift.store();
      also(op, names);
      recordEvent(op, deps, actor, {
        projectId,
        object: "template",
        id: templateId,
        name,
        action,
        params: { ...params, hosts: names.length, host: names[0] },
      });
      return names.length;
    });
    left = left.slice(changed);
  }
}
