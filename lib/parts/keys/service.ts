import type { ProjectScope } from "../../access/scope.ts";
import { recordEvent } from "../../events/record.ts";
import { nextId } from "../../kv/ids.ts";
import { holdReferences, inUse, nameReferences } from "../../kv/references.ts";
import { transact } from "../../kv/transact.ts";
import { keyRows } from "./repository.ts";
import type { KeyChangeForm, KeyForm, KeyRow, KeyView } from "./schema.ts";
import { sealSecret } from "./secret.ts";

/** The project's keys, without their secrets. */
export async function listKeys({ deps, projectId }: ProjectScope): Promise<KeyView[]> {
  return (await keyRows.list(deps.kv, projectId)).map(keyView);
}

/** One key, without its secret. */
export async function getKey({ deps, projectId }: ProjectScope, id: number) {
  return keyView(await keyRows.get(deps.kv, projectId, id));
}

/** Stores a new key, its secret sealed. */
export async function createKey(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  form: KeyForm,
): Promise<KeyView> {
  const row: KeyRow = {
    id: await nextId(deps.kv, "keys"),
    project_id: projectId,
    name: form.name,
    type: form.type,
    secret: await sealSecret(deps.secrets, form),
  };
  await transact(deps.kv, async (op) => {
    await keyRows.insert(deps.kv, op, row);
    recordEvent(op, deps, actor, { ...eventOf(row), action: "created" });
  });
  return keyView(row);
}

/** Renames a key; with `override_secret` its type and secret are replaced too. */
export async function updateKey(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
  form: KeyChangeForm,
): Promise<void> {
  const replaced = form.override_secret
    ? { type: form.type!, secret: await sealSecret(deps.secrets, { ...form, type: form.type! }) }
    : {};
  await transact(deps.kv, async (op) => {
    if (replaced.type && replaced.type !== "login_password") {
      await requireNoPasswordUse(deps.kv, op, projectId, id);
    }
    const row = await keyRows.update(deps.kv, op, projectId, id, (row) => ({
      ...row,
      name: form.name,
      ...replaced,
    }));
    recordEvent(op, deps, actor, { ...eventOf(row), action: "updated" });
  });
}

/** Throws 409 when something cannot do without the key's password: a vault, or a webhook. */
async function requireNoPasswordUse(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  projectId: number,
  id: number,
) {
  const needed = (await holdReferences(kv, op, projectId, ["keys", id]))
    .filter(([kind]) => kind === "templates" || kind === "integrations");
  if (needed.length === 0) return;
  throw inUse("errors.keys.password_in_use", await nameReferences(kv, projectId, needed));
}

/** Deletes a key that nothing uses. */
export async function deleteKey(
  { deps, actor, projectId }: ProjectScope<"manage_resources">,
  id: number,
) {
  await transact(deps.kv, async (op) => {
    const row = await keyRows.remove(deps.kv, op, projectId, id);
    recordEvent(op, deps, actor, { ...eventOf(row), action: "deleted" });
  });
}

const eventOf = (row: KeyRow) =>
  ({ projectId: row.project_id, object: "key", id: row.id, name: row.name }) as const;

function keyView({ id, project_id, name, type, secret }: KeyRow): KeyView {
  return {
    id,
    name,
    type,
    project_id,
    login_password: { login: "", password: "" },
    ssh: { login: "", passphrase: "", private_key: "" },
    string: "",
    override_secret: false,
    empty: type !== "none" && secret === null,
  };
}
