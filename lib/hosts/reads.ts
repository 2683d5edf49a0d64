import { rowKeys } from "../kv/keys.ts";
import { type HostRunRow, isKept, type ProjectHostRow } from "./rows.ts";

/** Returns a host that tasks have reached; null if there is none with this name. */
export const findHost = async (
  kv: Deno.Kv,
  projectId: number,
  name: string,
): Promise<ProjectHostRow | null> =>
  isKept(name) ? (await kv.get<ProjectHostRow>(rowKeys.projectHost(projectId, name))).value : null;

/** Returns the tasks of a host, newest first. */
export const newestRuns = (
  kv: Deno.Kv,
  projectId: number,
  name: string,
  { limit, before }: { limit: number; before?: number },
): Promise<HostRunRow[]> => {
  const prefix = rowKeys.hostRuns(projectId, name);
  const end = before === undefined ? undefined : rowKeys.hostRun(projectId, name, before);
  const runs = kv.list<HostRunRow>(end ? { prefix, end } : { prefix }, { reverse: true, limit });
  return Array.fromAsync(runs, ({ value }) => value);
};
