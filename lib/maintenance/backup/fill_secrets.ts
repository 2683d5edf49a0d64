import type { SecretBox } from "../../access/secret_box.ts";
import { keyForm } from "../../resources/keys/schema.ts";
import { sealKey } from "../../resources/keys/secret.ts";
import type { ProjectRows } from "./rows.ts";
import type { ReadBackup } from "./schema.ts";

/** Secrets from outside a file, by the names of their keys and environments in the file. */
export interface RestoreSecrets {
  /** Keys as the API accepts them, with their secrets. Other keys stay blank. */
  keys: Map<string, Record<string, unknown>>;
  /** Values of secret variables by `type.name`, for each environment. */
  variables: Map<string, Map<string, string>>;
}

/** Returns the rows with these secrets sealed in them. Invalid ones must be typed in later. */
export async function fillSecrets(
  box: SecretBox,
  file: ReadBackup,
  rows: ProjectRows,
  secrets: RestoreSecrets,
): Promise<ProjectRows> {
  const keys = await Promise.all(rows.keys.map(async (row, at) => {
    const sent = secrets.keys.get(file.keys[at].name);
    const form = keyForm.safeParse({ ...sent, name: row.name, type: row.type });
    return form.success ? { ...row, ...await sealKey(box, form.data, row.name) } : row;
  }));
  const environments = await Promise.all(rows.environments.map(async (row, at) => {
    const values = secrets.variables.get(file.environments[at].name);
    const filled = row.secrets.map(async (secret) => {
      const value = values?.get(`${secret.type}.${secret.name}`);
      return value === undefined ? secret : { ...secret, sealed: await box.seal(value) };
    });
    return { ...row, secrets: await Promise.all(filled) };
  }));
  return { ...rows, keys, environments };
}
