import { joinLabels } from "../base/text/labels.ts";
import { versioned } from "../base/version.ts";
import { isOnline, type RunnerSeen } from "./presence.ts";
import type { RunnerRow, RunnerTokenRow } from "./rows.ts";
import type { RunnerTokenView, RunnerView } from "./schema.ts";

/** Returns a runner as the API returns it. `seen` is undefined for one that was never seen. */
export function runnerView(row: RunnerRow, seen: RunnerSeen | undefined, now: Date): RunnerView {
  const { facts } = row;
  return versioned({
    id: row.id,
    project_id: row.project_id,
    name: row.name,
    description: row.description,
    project_ids: row.project_ids,
    tags: row.labels,
    tag: joinLabels(row.labels),
    max_parallel_tasks: row.max_parallel_tasks,
    active: row.state === "active",
    state: row.state,
    registered: row.token_hash !== null,
    online: row.token_hash !== null && isOnline(seen, now),
    touched: seen ? new Date(seen.at).toISOString() : null,
    version: facts?.version ?? null,
    platform: facts?.platform ?? null,
    ansible: facts?.ansible ?? null,
    isolation: facts?.isolation ?? null,
    slots: facts?.slots ?? null,
    pythons: facts?.tools?.pythons ?? null,
    uv: facts?.tools?.uv ?? null,
    podman: facts?.tools?.podman ?? null,
    created: row.created,
    webhook: "",
    is_default: row.is_default ?? false,
    cleaning_requested: null,
  }, changeableOf(row));
}

/** Returns the part of a runner that people change, which its version covers. */
export const changeableOf = (
  { name, description, project_ids, labels, max_parallel_tasks, state, is_default = false }:
    RunnerRow,
) => ({ name, description, project_ids, labels, max_parallel_tasks, state, is_default });

/** Returns a reusable token as the API returns it. */
export function runnerTokenView(row: RunnerTokenRow, now: Date): RunnerTokenView {
  const { hash: _, labels, ...shown } = row;
  return { ...shown, tags: labels, ended: isEnded(row, now) };
}

const isEnded = ({ uses, uses_max, expires_at }: RunnerTokenRow, now: Date): boolean =>
  (uses_max > 0 && uses >= uses_max) ||
  (expires_at !== null && Date.parse(expires_at) <= now.getTime());
