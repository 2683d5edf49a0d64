import type { ProjectScope } from "../access/scope.ts";
import { sightOf } from "../access/sight.ts";
import { invalidField } from "../base/errors.ts";
import { cursorOfRow, listDriftRows } from "./list.ts";

/** Number of hosts that are looked at for all chosen Ansible tasks together. */
export const LOOKED_AT_MAX = 10_000;

/** Number of states that are read together. */
const PAGE_ROWS = 200;

/** Ansible tasks of a template that hosts need. */
interface DifferingTasks {
  template: number;
  play_tasks: string[];
}

/**
 * Returns the hosts that differ and need one of the Ansible tasks, by template. Throws 400 if these
 * are more than `max`, or if more than `LOOKED_AT_MAX` would have to be looked at.
 */
export async function listDifferingHosts(
  scope: ProjectScope,
  wanted: readonly DifferingTasks[],
  max: number,
): Promise<Map<number, string[]>> {
  const { deps: { kv }, projectId } = scope;
  const found = new Map<number, string[]>();
  const sight = await sightOf(scope);
  if (!sight.seesAllTasks) return found;
  const hidden = sight.hidden("templates");
  let [count, looked] = [0, 0];
  for (const { template, play_tasks } of wanted) {
    const hosts: string[] = [];
    found.set(template, hosts);
    for (let after: string | undefined, isMore = true; isMore;) {
      const page = {
        states: ["would_change" as const],
        templateId: template,
        q: "",
        after,
        hidden,
      };
      const { rows, hasNext } = await listDriftRows(kv, projectId, { ...page, limit: PAGE_ROWS });
      for (const { host, change_tasks = [] } of rows) {
        if (change_tasks.some((one) => play_tasks.includes(one))) hosts.push(host);
      }
      looked += rows.length;
      const last = rows.at(-1);
      isMore = hasNext && last !== undefined;
      after = last && cursorOfRow(last);
      if (count + hosts.length > max) throw tooMany(max);
      if (isMore && looked >= LOOKED_AT_MAX) throw tooMany(LOOKED_AT_MAX);
    }
    count += hosts.length;
  }
  return found;
}

const tooMany = (max: number) => invalidField("hosts", "errors.drift.hosts_max", { max });
