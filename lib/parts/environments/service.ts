import type { ProjectScope } from "../../access/scope.ts";
import { recordEvent } from "../../events/record.ts";
import { nextId } from "../../kv/ids.ts";
import { transact } from "../../kv/transact.ts";
import { environmentRows } from "./repository.ts";
import { changeSecrets, sealChanges } from "./secrets.ts";
import type { EnvironmentForm, EnvironmentRow, EnvironmentView } from "./schema.ts";

/** The project's environments, without the values of their secrets. */
export async function listEnvironments(
  { deps, projectId }: ProjectScope,
): Promise<EnvironmentView[]> {
  return (await environmentRows.list(deps.kv, projectId)).map(environmentView);
}

/** One environment, without the values of its secrets. */
export async function getEnvironment(
  { deps, projectId }: ProjectScope,
  id: number,
): Promise<EnvironmentView> {
  return environmentView(await environmentRows.get(deps.kv, projectId, id));
}

/** Adds an environment; the values of its secrets are sealed. */
export async function createEnvironment(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  form: EnvironmentForm,
): Promise<EnvironmentView> {
  const row: EnvironmentRow = {
    id: await nextId(deps.kv, "environments"),
    project_id: projectId,
    name: form.name,
    password: null,
    json: form.json,
    env: form.env,
    secrets: changeSecrets([], await sealChanges(deps, form.secrets)),
  };
  await transact(deps.kv, async (op) => {
    await environmentRows.insert(deps.kv, op, row);
    recordEvent(op, deps, actor, { ...eventOf(row), action: "created" });
  });
  return environmentView(row);
}

/** Changes an environment. Secrets that are not named stay as they are. */
export async function updateEnvironment(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  form: EnvironmentForm,
): Promise<void> {
  await environmentRows.get(deps.kv, projectId, id);
  const changes = await sealChanges(deps, form.secrets);
  await transact(deps.kv, async (op) => {
    const row = await environmentRows.update(deps.kv, op, projectId, id, (row) => ({
      ...row,
      name: form.name,
      json: form.json,
      env: form.env,
      secrets: changeSecrets(row.secrets, changes),
    }));
    recordEvent(op, deps, actor, { ...eventOf(row), action: "updated" });
  });
}

/** Deletes an environment that nothing uses. */
export async function deleteEnvironment(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    const row = await environmentRows.remove(deps.kv, op, projectId, id);
    recordEvent(op, deps, actor, { ...eventOf(row), action: "deleted" });
  });
}

const eventOf = (row: EnvironmentRow) =>
  ({ projectId: row.project_id, object: "environment", id: row.id, name: row.name }) as const;

function environmentView({ secrets, ...row }: EnvironmentRow): EnvironmentView {
  return {
    ...row,
    secrets: secrets.map(({ id, type, name, sealed }) => ({
      id,
      type,
      name,
      ...sealed.length === 0 && { empty: true },
    })),
  };
}
