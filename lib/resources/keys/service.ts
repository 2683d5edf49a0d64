import type { Expected } from "../../base/version.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { type Ref, rowKeys } from "../../store/keys.ts";
import { guardReferences, inUse, nameReferences } from "../../store/references.ts";
import type { Atomic, Store } from "../../store/store.ts";
import type { ProjectScope } from "../../access/scope.ts";
import { isoTime } from "../../base/time/clock.ts";
import { parseCertificate, validityProblem } from "../../execution/ssh/certificate.ts";
import { readTargets } from "../../references/service.ts";
import type { ListedKey } from "../../model/template_row.ts";
import { requireSshKeys } from "../common/key_rules.ts";
import { resourceService } from "../common/service.ts";
import { readSource } from "../secret_storages/source.ts";
import { keyRows } from "./repository.ts";
import {
  isPassword,
  type KeyChangeForm,
  type KeyForm,
  type KeyRow,
  type KeyView,
  sourceIn,
} from "./schema.ts";
import { sealKey } from "./secret.ts";
import { readSigner, withSigner } from "./signer.ts";
import { jumpKeyTarget, withSshOptions } from "./ssh_options.ts";
import { invalidField } from "../../base/errors.ts";

const keys = resourceService<KeyRow, KeyView, KeyForm, "manage_keys">({
  rows: keyRows,
  event: ({ name }) => ({ object: "key", name }),
  view: keyView,
  whole: ({ certificate_reported: _, ...row }) => row,
  fields: async (scope, form) => {
    const row = { name: form.name, type: form.type, ...await sealed(scope, form) };
    const certified = withCertificate(row, form.certificate, undefined, scope.deps.clock.now());
    const signer = await readSigner(scope.deps.kv, scope.projectId, form.certificate_source);
    return withSshOptions(withSigner(certified, signer), form.ssh_options);
  },
  targets: (row) => ({
    ...jumpKeyTarget(row),
    "source.storage_id": storageTarget(row.source),
    "certificate_source.storage_id": storageTarget(row.certificate_source),
  }),
  checkTargets: (row, targets) => requireSshKeys(targets, Object.keys(jumpKeyTarget(row))),
});

const storageTarget = (source: { storage_id: number | null } | undefined) =>
  source?.storage_id ? ["secret_storages", source.storage_id] as const : null;

/** Returns the secrets of a form, or the place where they are. */
async function sealed(
  { deps, project, projectId }: ProjectScope,
  form: KeyForm,
): Promise<Pick<KeyRow, "secret" | "public_key" | "source">> {
  const source = sourceIn(form);
  if (!source || form.type === "none") {
    return await sealKey(deps.secrets, form, `${project.name}/${form.name}`);
  }
  return { secret: null, source: await readSource(deps.kv, projectId, source, "source") };
}

/** A project's keys. Their secrets are sealed and never returned. */
export const keyService = { ...keys, update: updateKey };

/**
 * Changes the name and the certificate of a key. With `override_secret` its type and secret are
 * replaced, too.
 */
async function updateKey(
  scope: ProjectScope<"manage_keys">,
  id: number,
  form: KeyChangeForm,
  expected?: Expected,
): Promise<void> {
  const { deps, projectId } = scope;
  const replaced = form.override_secret
    ? { type: form.type!, ...await sealed(scope, { ...form, type: form.type! }) }
    : null;
  const place = sourceIn(form);
  const source = place && await readSource(deps.kv, projectId, place, "source");
  const signer = await readSigner(deps.kv, projectId, form.certificate_source);
  await keys.edit(scope, id, async (row, op) => {
    if (replaced) await requireSuitable(deps.kv, op, projectId, { id, type: replaced.type });
    const { name } = form;
    const changed = replaced
      ? { id, project_id: projectId, name, ...replaced }
      // The place is not a secret, so it can change without the type.
      : { ...row, name, ...source && row.source && { source } };
    const now = deps.clock.now();
    const certified = withCertificate(changed, form.certificate, row.certificate, now);
    const signed = withSigner(certified, signer, row.certificate_source);
    const whole = withSshOptions(signed, form.ssh_options, row.ssh_options);
    const wanted = jumpKeyTarget(whole);
    requireSshKeys(await readTargets(deps.kv, op, projectId, wanted), Object.keys(wanted));
    return whole;
  }, expected);
}

/** A row that uses keys. */
interface KeyUser {
  vaults?: { vault_key_id: number | null }[];
  ssh_keys?: ListedKey[];
}

/**
 * Throws 409 if a vault, a webhook or a toolchain needs the key's password, or if it must be an SSH
 * key: as a key for some hosts, or for a jump host. A password would be offered to all hosts.
 */
async function requireSuitable(
  kv: Store,
  op: Atomic,
  projectId: number,
  { id, type }: Pick<KeyRow, "id" | "type">,
) {
  const usedBy = await guardReferences(kv, op, projectId, ["keys", id]);
  const keys = usedBy.map(([kind, user]) => rowKeys.resource(kind, projectId, user));
  const rows = await getAll<KeyUser>(kv, keys);
  const refuseIf = async (problem: string, needs: (kind: Ref[0], row: KeyUser) => boolean) => {
    const needed = usedBy.filter(([kind], n) => needs(kind, rows[n].value ?? {}));
    if (needed.length > 0) throw inUse(problem, await nameReferences(kv, projectId, needed));
  };
  if (!isPassword({ type })) {
    await refuseIf(
      "errors.keys.password_in_use",
      (kind, { vaults = [] }) =>
        kind === "integrations" || kind === "toolchains" ||
        vaults.some(({ vault_key_id }) => vault_key_id === id),
    );
  }
  if (type !== "ssh") {
    await refuseIf(
      "errors.keys.ssh_in_use",
      (kind, { ssh_keys = [] }) =>
        kind === "keys" ||
        ssh_keys.some((key, n) => key.id === id && (kind === "templates" || n > 0 || key.hosts)),
    );
  }
}

function keyView(row: KeyRow): KeyView {
  const { id, project_id, name, type, secret, public_key, ssh_options } = row;
  const { certificate = "", certificate_source = null, source = null } = row;
  const expires = parseCertificate(certificate)?.validUntil ?? null;
  return {
    id,
    name,
    type,
    project_id,
    login_password: { login: "", password: "" },
    ssh: { login: "", passphrase: "", private_key: "" },
    public_key: public_key ?? null,
    certificate,
    certificate_expires: expires === null ? null : isoTime(expires),
    certificate_source,
    ssh_options: ssh_options ?? null,
    string: "",
    override_secret: false,
    empty: type !== "none" && secret === null && !source,
    source,
    source_storage_id: source?.storage_id ?? null,
    source_storage_key: source?.path ?? null,
    source_storage_type: source?.type ?? null,
  };
}

/** KV takes 64 KiB per value. The rest is for the name and the public half. */
const BYTES_MAX = 58 * 1024;

/**
 * Returns a key with its certificate after a change. A missing `sent` keeps the stored one, unless
 * the private key was replaced. Throws 400 for a new one that cannot be used.
 */
function withCertificate<Key extends Pick<KeyRow, "type" | "secret" | "public_key">>(
  key: Key,
  sent: string | null | undefined,
  stored: string | undefined,
  now: Date,
): Key & Pick<KeyRow, "certificate" | "certificate_reported"> {
  const text = sent ?? stored ?? "";
  const certificate = key.type === "ssh" ? parseCertificate(text) : null;
  if (!certificate) return { ...key, certificate: undefined };
  const { publicKey } = certificate;
  const isForeign = key.public_key !== undefined && !key.public_key.startsWith(`${publicKey} `);
  if (text === stored) return { ...key, certificate: isForeign ? undefined : text };
  if (isForeign) throw invalid("foreign_certificate");
  const problem = validityProblem(certificate, now.getTime());
  if (problem?.key === "certificate_expired") throw invalid(problem.key, problem.at);
  if ((key.secret?.length ?? 0) + text.length > BYTES_MAX) throw invalid("secret_too_large");
  return { ...key, certificate: text, certificate_reported: false };
}

const invalid = (problem: string, since = 0) =>
  invalidField("certificate", `errors.keys.${problem}`, { since: isoTime(since) });
