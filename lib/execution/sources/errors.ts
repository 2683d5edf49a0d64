import { AppError, type Sentence, type SentenceParams } from "../../base/errors.ts";
import type { PlanStorage } from "./plan_storage.ts";

/** Names a storage in a sentence. */
const storageName = ({ id, name, kind }: PlanStorage): string | Sentence =>
  id === 0 ? { key: `secret_storages.kinds.${kind}` } : name;

/** A failure that ends a run: it names the storage and the path, and never a value. */
export const sourceError = (
  storage: PlanStorage,
  path: string,
  key: string,
  params: SentenceParams = {},
): AppError =>
  new AppError(422, `errors.sources.${key}`, { storage: storageName(storage), path, ...params });

/** A failure that may be over soon. A run waits for such a storage, as far as it allows. */
export class Unavailable extends Error {
  override name = "Unavailable";
}
