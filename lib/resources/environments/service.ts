import { resourceService } from "../common/service.ts";
import { environmentRows } from "./repository.ts";
import type { EnvironmentForm, EnvironmentRow, EnvironmentView } from "./schema.ts";
import { storagesOf } from "../secret_storages/schema.ts";
import { changeSecrets, sealChanges } from "./secrets.ts";

/** A project's environments. The values of their secrets are sealed and never returned. */
export const environmentService = resourceService<EnvironmentRow, EnvironmentView, EnvironmentForm>(
  {
    rows: environmentRows,
    event: ({ name }) => ({ object: "environment", name }),
    view: ({ secrets, ...row }) => ({
      ...row,
      secrets: secrets.map(({ id, type, name, sealed, source }) => ({
        id,
        type,
        name,
        ...source ? { source } : sealed.length === 0 && { empty: true },
      })),
    }),
    // Secrets that are missing in the form stay unchanged.
    fields: async ({ deps, projectId }, { name, json, env, secrets }, stored) => ({
      name,
      password: null,
      json,
      env,
      secrets: changeSecrets(stored?.secrets ?? [], await sealChanges(deps, projectId, secrets)),
    }),
    targets: ({ secrets }) =>
      Object.fromEntries(
        storagesOf(secrets.map(({ source }) => source)).map((ref, at) => [`secrets.${at}`, ref]),
      ),
  },
);
