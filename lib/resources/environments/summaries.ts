import type { ProjectScope } from "../../access/scope.ts";
import { parseJsonObject } from "../../base/fields.ts";
import { createPause } from "../../base/time/pause.ts";
import { cachedWhile } from "../../store/cached.ts";
import { rowKeys } from "../../store/keys.ts";
import { environmentRows } from "./repository.ts";

/** An environment without its values. */
interface EnvironmentSummary {
  id: number;
  name: string;
  /** Number of variables of the playbook and of its process, without secrets. */
  variables: number;
  secrets: number;
  /** Whether a secret has lost its value. */
  empty: boolean;
}

/** Returns summaries of the project's environments. They are parsed again only after a change. */
export function summarizeEnvironments(
  { deps: { kv }, projectId }: ProjectScope,
): Promise<EnvironmentSummary[]> {
  const stamps = [rowKeys.resourcesStamp("environments")];
  return cachedWhile(kv, stamps, `environments of ${projectId}`, async () => {
    const pause = createPause();
    const summaries: EnvironmentSummary[] = [];
    for (const { id, name, json, env, secrets } of await environmentRows.list(kv, projectId)) {
      if (pause.isDue()) await pause.take();
      summaries.push({
        id,
        name,
        variables: membersOf(json) + membersOf(env ?? ""),
        secrets: secrets.length,
        empty: secrets.some(({ sealed, source }) => sealed.length === 0 && !source),
      });
    }
    return summaries;
  });
}

const membersOf = (json: string): number => Object.keys(parseJsonObject(json) ?? {}).length;
