import { getProjectEntry } from "../../model/projects.ts";
import type { HostAuthorityRow } from "../../model/project_row.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { invalidField, notFound } from "../../base/errors.ts";
import { recordChange } from "../../events/record_change.ts";
import { parsePublicKey } from "../../execution/ssh/public_key.ts";
import { rowKeys } from "../../store/keys.ts";
import { transact } from "../../store/transact.ts";
import type { Store } from "../../store/store.ts";
import {
  HOST_AUTHORITIES_MAX,
  type HostAuthority,
  type HostAuthorityForm,
} from "./authority_schema.ts";
import { fingerprintOf } from "./fingerprint.ts";

type Manager = ProjectScope<"manage_keys">;

/** The authorities whose signatures on keys of hosts the project's tasks trust. */
export async function listHostAuthorities(
  { deps, projectId }: ProjectScope,
): Promise<HostAuthority[]> {
  const { value } = await getProjectEntry(deps.kv, projectId);
  return (value.host_authorities ?? []).map(viewOf);
}

/** Adds an authority. Throws 400 if the project has too many. */
export async function addHostAuthority(
  scope: Manager,
  { hosts, public_key }: HostAuthorityForm,
): Promise<HostAuthority> {
  const { type, key } = parsePublicKey(public_key)!;
  const rows = await change(scope, (rows) => {
    const max = HOST_AUTHORITIES_MAX;
    if (rows.length >= max) {
      throw invalidField("hosts", "errors.host_authorities.limit", { max });
    }
    const id = Math.max(0, ...rows.map(({ id }) => id)) + 1;
    return [...rows, { id, hosts, public_key: `${type} ${key}` }];
  });
  return viewOf(rows.at(-1)!);
}

/** Hosts with a certificate of this authority are then known by their pinned keys alone. */
export async function removeHostAuthority(scope: Manager, id: number): Promise<void> {
  await change(scope, (rows) => {
    const left = rows.filter((row) => row.id !== id);
    if (left.length === rows.length) throw notFound();
    return left;
  });
}

/** The lines of the project's authorities in ssh's file of known hosts. */
export async function hostAuthorityLines(kv: Store, projectId: number): Promise<string[]> {
  const { value } = await getProjectEntry(kv, projectId);
  return (value.host_authorities ?? [])
    .map(({ hosts, public_key }) => `@cert-authority ${hosts} ${public_key}`);
}

const change = (
  { deps, actor, projectId, project: { name } }: Manager,
  changed: (rows: HostAuthorityRow[]) => HostAuthorityRow[],
): Promise<HostAuthorityRow[]> =>
  transact(deps.kv, async (op) => {
    const entry = await getProjectEntry(deps.kv, projectId);
    const before = entry.value;
    const after = { ...before, host_authorities: changed(before.host_authorities ?? []) };
    op.check(entry).set(rowKeys.project(projectId), after);
    const event = { projectId, object: "project", id: projectId, name, action: "updated" } as const;
    await recordChange(op, deps, actor, event, { before, after });
    return after.host_authorities;
  });

const viewOf = (row: HostAuthorityRow): HostAuthority => ({
  ...row,
  fingerprint: fingerprintOf(row.public_key.split(" ")[1]),
});
