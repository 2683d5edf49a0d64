import type { ProjectScope } from "../../access/scope.ts";
import { AppError, invalidField } from "../../base/errors.ts";
import type { SourceField } from "../../execution/sources/kind.ts";
import { resourceService } from "../common/service.ts";
import {
  isMoved,
  lacksSecret,
  readParams,
  readSecret,
  STORAGE_TYPES,
  storageKind,
} from "./params.ts";
import { secretStorageRows } from "./repository.ts";
import {
  type SecretStorageForm,
  type SecretStorageRow,
  type SecretStorageView,
  WAIT_SECONDS,
} from "./schema.ts";

/** A project's secret storages. Their credentials are sealed and never returned. */
export const secretStorageService = resourceService<
  SecretStorageRow,
  SecretStorageView,
  SecretStorageForm,
  "manage_keys"
>({
  rows: secretStorageRows,
  event: ({ name }) => ({ object: "secret_storage", name }),
  view: ({ sealed, ...row }) => ({
    ...row,
    read_only: true,
    has_secret: sealed !== null,
    empty: lacksSecret({ ...row, sealed }),
  }),
  fields: fieldsFrom,
});

/** Returns the fields that each type adds to the form. */
export const storageFields = (_scope: ProjectScope): [type: string, SourceField[]][] =>
  STORAGE_TYPES.map((type) => [type, [...storageKind(type).fields]]);

/** Returns the storages that can sign keys. */
export const listSigners = async (scope: ProjectScope): Promise<SecretStorageView[]> =>
  (await secretStorageService.list(scope)).filter(({ type }) => storageKind(type).signs);

type Fields = Omit<SecretStorageRow, "id" | "project_id">;

async function fieldsFrom(
  { deps, actor }: ProjectScope<"manage_keys">,
  form: SecretStorageForm,
  stored: SecretStorageRow | null,
): Promise<Fields> {
  const { name, type } = form;
  const params = readParams(form);
  const secret = readSecret(form, params);
  const isAdmin = actor.kind === "user" && actor.admin;
  const wasAllowed = stored?.allow_private ?? false;
  if (form.allow_private && !wasAllowed && !isAdmin) {
    throw new AppError(403, "errors.sources.private_needs_admin");
  }
  const moved = stored !== null && isMoved({ type, params }, stored);
  const needsSecret = storageKind(type).hasSecret(params);
  const isKept = needsSecret && !secret && secret !== null && stored?.sealed;
  if (isKept && moved) throw invalidField("secret", "errors.alerts.secret_again");
  if (needsSecret && !secret && !isKept) throw invalidField("secret", "errors.required");
  return {
    name,
    type,
    params,
    sealed: !needsSecret ? null : secret ? await deps.secrets.seal(secret) : stored!.sealed,
    unavailable: form.unavailable ?? stored?.unavailable ?? "wait",
    wait_seconds: form.wait_seconds ?? stored?.wait_seconds ?? WAIT_SECONDS,
    // The permission was for the address of before.
    allow_private: (form.allow_private ?? wasAllowed) && (isAdmin || !moved),
  };
}
