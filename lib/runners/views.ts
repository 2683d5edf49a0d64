import type { Sentence } from "../base/errors.ts";
import { plainReason } from "../base/reason.ts";
import { joinLabels } from "../base/text/labels.ts";
import { versioned } from "../base/version.ts";
import { isOnline, type RunnerSeen } from "./presence.ts";
import type { RunnerRow, RunnerTokenRow } from "./rows.ts";
import type { RunnerTokenView, RunnerView } from "./schema.ts";

/** Returns a runner as the API returns it. `seen` is undefined for one that was never seen. */
export function runnerView(row: RunnerRow, seen: RunnerSeen | undefined, now: Date): RunnerView {
  const { facts } = row;
  const online = row.token_hash !== null && isOnline(seen, now);
  const reason = absenceOf(row, online, seen);
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
    online,
    reason: reason && plainReason(reason),
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

/** Returns why a runner takes no new tasks; null if it takes some. */
function absenceOf(
  { name, token_hash, outdated, state }: RunnerRow,
  online: boolean,
  seen: RunnerSeen | undefined,
): Sentence | null {
  if (token_hash === null) return { key: "runners.why.unregistered" };
  if (!online) {
    const [why, command] = seen ? ["offline", "doctor"] : ["never_seen", "start"];
    return { key: `runners.why.${why}`, params: { command: `callboard runner ${command}` } };
  }
  if (outdated) return { key: "placement.wait.update", params: { name } };
  return state === "active" ? null : { key: `runners.set_hint.${state}` };
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
