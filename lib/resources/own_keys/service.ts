import type { AccountScope, UserScope } from "../../access/scope.ts";
import type { UserActor } from "../../access/actor.ts";
import { getCredential } from "../../access/authenticate.ts";
import { conflict, unauthorized } from "../../base/errors.ts";
import { type Expected, requireVersion, versioned } from "../../base/version.ts";
import { recordEvent } from "../../events/record.ts";
import { nextId } from "../../store/ids.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import { sealKey } from "../keys/secret.ts";
import { getOwnKeyEntry, listOwnKeyRows, OWN_KEYS_MAX } from "./repository.ts";
import { type OwnKeyForm, type OwnKeyRow, type OwnKeyView, replacesPrivateKey } from "./schema.ts";
import { findUser } from "../../model/accounts.ts";

/** Returns the actor's own SSH keys without their secrets. No one else can list them. */
export const listOwnKeys = async ({ deps, actor }: UserScope): Promise<OwnKeyView[]> =>
  (await listOwnKeyRows(deps.kv, actor.id)).map(ownKeyView);

/** Returns how many own keys an account has, which is all that admins learn. */
export const countOwnKeys = async ({ deps, userId }: AccountScope): Promise<number> =>
  (await listOwnKeyRows(deps.kv, userId)).length;

export const getOwnKey = async ({ deps, actor }: UserScope, id: number): Promise<OwnKeyView> =>
  ownKeyView((await getOwnKeyEntry(deps.kv, actor.id, id)).value);

/** Adds a key to the actor's own account. */
export async function createOwnKey(
  { deps, actor }: UserScope,
  form: OwnKeyForm,
): Promise<OwnKeyView> {
  const { kv, secrets } = deps;
  const row: OwnKeyRow = {
    id: await nextId(kv, "own_keys"),
    user_id: actor.id,
    name: form.name,
    login: form.ssh?.login ?? "",
    ...await sealed(secrets, actor, form),
    created: deps.clock.now().toISOString(),
  };
  await transact(kv, async (op) => {
    // An account that is being deleted, or a session that was ended, must not add one behind that.
    const [user, credential] = await Promise.all([
      findUser(kv, actor.id),
      getCredential(kv, actor),
    ]);
    if (!user || credential.versionstamp === null) throw unauthorized();
    if ((await listOwnKeyRows(kv, actor.id)).length >= OWN_KEYS_MAX) {
      throw conflict("errors.own_keys.full", { max: OWN_KEYS_MAX });
    }
    // Rewritten, so that of parallel additions and new passwords each notices the others.
    op.check(user, credential).set(user.key, user.value).set(rowKeys.ownKey(actor.id, row.id), row);
    recordEvent(op, deps, actor, { ...eventOf(actor), action: "own_key_added" });
  });
  return ownKeyView(row);
}

/** Changes an own key. Its private key stays unless a new one is sent. */
export async function updateOwnKey(
  { deps, actor }: UserScope,
  id: number,
  form: OwnKeyForm,
  expected?: Expected,
): Promise<void> {
  const replaced = replacesPrivateKey(form) ? await sealed(deps.secrets, actor, form) : null;
  await transact(deps.kv, async (op) => {
    const entry = await getOwnKeyEntry(deps.kv, actor.id, id);
    requireVersion(entry.value, expected);
    const { public_key, ...row } = entry.value;
    op.check(entry).set(entry.key, {
      ...row,
      name: form.name,
      login: form.ssh?.login ?? "",
      ...replaced ?? (public_key && { public_key }),
    });
    recordEvent(op, deps, actor, { ...eventOf(actor), action: "own_key_changed" });
  });
}

/** Removes an own key. Tasks that wait for their start and chose it fail. */
export async function deleteOwnKey(
  { deps, actor }: UserScope,
  id: number,
  expected?: Expected,
): Promise<void> {
  await transact(deps.kv, async (op) => {
    const entry = await getOwnKeyEntry(deps.kv, actor.id, id);
    requireVersion(entry.value, expected);
    op.check(entry).delete(entry.key);
    recordEvent(op, deps, actor, { ...eventOf(actor), action: "own_key_removed" });
  });
}

const sealed = async (
  box: Parameters<typeof sealKey>[0],
  { username }: UserActor,
  form: OwnKeyForm,
): Promise<Pick<OwnKeyRow, "secret" | "public_key">> => {
  const { secret, ...pair } = await sealKey(box, form, `${username}/${form.name}`);
  return { ...pair, secret: secret! };
};

/** Without the name of the key, because admins read these events. */
const eventOf = ({ id, username }: UserActor) =>
  ({ projectId: 0, object: "user", id, name: username }) as const;

const ownKeyView = (row: OwnKeyRow): OwnKeyView =>
  versioned({
    id: row.id,
    name: row.name,
    ssh: { login: row.login, passphrase: "", private_key: "" },
    public_key: row.public_key ?? null,
    created: row.created,
  }, row);
