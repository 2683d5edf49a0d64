import { AppError } from "../../base/errors.ts";

/** Returns the row. Throws an error that names the missing kind of object. */
export async function present<T>(kind: string, finding: Promise<{ row: T } | null>): Promise<T> {
  const found = await finding;
  if (!found) throw new AppError(400, `errors.run.missing_${kind}`);
  return found.row;
}
