import { HIDDEN, userinfoOf } from "../../execution/git/userinfo.ts";
import type { ProjectRows } from "./rows.ts";
import type { RestoreReport } from "./schema.ts";

/**
 * Reports what restoring these rows creates, and which secrets must be typed in again afterwards.
 */
export function reportOf(rows: ProjectRows): Pick<RestoreReport, "creates" | "secrets"> {
  const names = (list: { name: string }[]) => list.map(({ name }) => name);
  return {
    creates: {
      keys: names(rows.keys),
      environments: names(rows.environments),
      views: rows.views.map(({ title }) => title),
      repositories: names(rows.repositories),
      inventories: names(rows.inventories),
      templates: names(rows.templates),
      schedules: rows.schedules.map(({ name, cron_format, run_at }) =>
        name || cron_format || run_at || ""
      ),
      integrations: names(rows.integrations),
    },
    secrets: [
      ...rows.keys.filter(({ type, secret }) => type !== "none" && secret === null)
        .map(({ name, type }) => ({ kind: "key" as const, name, type, variable: null })),
      ...rows.environments.flatMap(({ name, secrets }) =>
        secrets.filter(({ sealed }) => sealed.length === 0).map((secret) => ({
          kind: "environment" as const,
          name,
          type: secret.type,
          variable: secret.name,
        }))
      ),
      ...rows.repositories.filter(({ git_url }) => userinfoOf(git_url) === HIDDEN)
        .map(({ name }) => ({ kind: "repository" as const, name, type: "login", variable: null })),
    ],
  };
}
