import type { Expected } from "../../base/version.ts";
import { guardReferences, inUse, nameReferences } from "../../kv/references.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { resourceService } from "../common/service.ts";
import { keyRows } from "./repository.ts";
import type { KeyChangeForm, KeyForm, KeyRow, KeyView } from "./schema.ts";
import { sealKey } from "./secret.ts";

const keys = resourceService<KeyRow, KeyView, KeyForm>({
  rows: keyRows,
  event: ({ name }) => ({ object: "key", name }),
  view: keyView,
  fields: async (scope, form) => ({
    name: form.name,
    type: form.type,
    ...await sealed(scope, form),
  }),
});

const sealed = ({ deps, project }: ProjectScope, form: KeyForm) =>
  sealKey(deps.secrets, form, `${project.name}/${form.name}`);

/** A project's keys. Their secrets are sealed and never returned. */
export const keyService = { ...keys, update: updateKey };

/** Renames a key. With `override_secret` its type and secret are replaced, too. */
async function updateKey(
  scope: ProjectScope<"manage_resources">,
  id: number,
  form: KeyChangeForm,
  expected?: Expected,
): Promise<void> {
  const { deps, projectId } = scope;
  const replaced = form.override_secret
    ? { type: form.type!, ...await sealed(scope, { ...form, type: form.type! }) }
    : null;
  await keys.edit(scope, id, async (row, op) => {
    if (!replaced) return { ...row, name: form.name };
    if (replaced.type !== "login_password") {
      await requireNoPasswordUse(deps.kv, op, projectId, id);
    }
    return { id, project_id: projectId, name: form.name, ...replaced };
  }, expected);
}

/** Throws 409 if a vault or a webhook needs the key's password. */
async function requireNoPasswordUse(
  kv: Deno.Kv,
  op: Deno.AtomicOperation,
  projectId: number,
  id: number,
) {
  const needed = (await guardReferences(kv, op, projectId, ["keys", id]))
    .filter(([kind]) => kind === "templates" || kind === "integrations");
  if (needed.length === 0) return;
  throw inUse("errors.keys.password_in_use", await nameReferences(kv, projectId, needed));
}

function keyView({ id, project_id, name, type, secret, public_key }: KeyRow): KeyView {
  return {
    id,
    name,
    type,
    project_id,
    login_password: { login: "", password: "" },
    ssh: { login: "", passphrase: "", private_key: "" },
    public_key: public_key ?? null,
    string: "",
    override_secret: false,
    empty: type !== "none" && secret === null,
  };
}
