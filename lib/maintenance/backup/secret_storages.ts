import { invalidField } from "../../base/errors.ts";
import { parseWith } from "../../base/parse.ts";
import { sourceKinds } from "../../execution/sources/kinds.ts";
import { readParams } from "../../resources/secret_storages/params.ts";
import {
  type SecretSource,
  secretStorageForm,
  type SecretStorageRow,
  type Signer,
  sourceForm,
  WAIT_SECONDS,
} from "../../resources/secret_storages/schema.ts";
import { type BuildContext, ownName } from "./context.ts";
import { eachEntry } from "./entries.ts";
import { entryName, type Names } from "./names.ts";
import type { ProjectRows } from "./rows.ts";
import type { BackupFile, ReadBackup } from "./schema.ts";

/** Returns the secret storages of a project as entries of its backup file; null for none. */
export const exportStorages = (
  { secret_storages: rows }: ProjectRows,
  names: Names,
): BackupFile["secret_storages"] =>
  rows.length === 0 ? null : rows.map(({ id, type, params, unavailable, wait_seconds }) => ({
    ...names.secret_storages.get(id)!,
    type,
    params,
    unavailable,
    wait_seconds,
  }));

/** Returns the place of a value as an entry, or null. */
export function exportSource<Source extends { storage_id: number | null }>(
  source: Source | undefined,
  names: Names,
) {
  if (!source) return null;
  const { storage_id, ...place } = source;
  return { storage: entryName(names.secret_storages, storage_id), ...place };
}

/** Builds the secret storages of a file. Their credentials must be entered before they are used. */
export const buildStorages = (
  file: ReadBackup,
  { idOf, projectId, failures }: BuildContext,
): Promise<SecretStorageRow[]> =>
  eachEntry(failures, "secret_storages", file.secret_storages ?? [], ownName, (entry, at) => {
    const form = parseWith(secretStorageForm, { ...entry, name: ownName(entry) });
    return {
      id: idOf("secret_storages", at),
      project_id: projectId,
      name: form.name,
      type: form.type,
      params: readParams(form),
      sealed: null,
      unavailable: form.unavailable ?? "wait",
      wait_seconds: form.wait_seconds ?? WAIT_SECONDS,
      allow_private: false,
    };
  });

type SourceEntry = NonNullable<ReadBackup["keys"]>[number]["source"];

/** Returns the source that an entry names, as a member of its row. */
export function sourceOf(entry: SourceEntry, context: BuildContext): { source?: SecretSource } {
  return entry ? { source: placeOf("source", entry, context) } : {};
}

/** Returns the place that signs a key, as a member of its row. */
export function signerOf(
  entry: SourceEntry,
  context: BuildContext,
): { certificate_source?: Signer } {
  if (!entry) return {};
  const { field: _, ...signer } = placeOf("certificate_source", entry, context);
  return { certificate_source: signer };
}

function placeOf(
  member: string,
  entry: NonNullable<SourceEntry>,
  { refer }: BuildContext,
): SecretSource {
  const storage_id = refer("secret_storages", `${member}.storage`, entry.storage);
  const { type, path, field } = parseWith(sourceForm, { ...entry, storage_id });
  if (storage_id === null && !sourceKinds[type ?? ""]?.builtIn) {
    throw invalidField(`${member}.storage`, "errors.required");
  }
  return { storage_id, type: type ?? "", path, field };
}
