import { AppError, type Sentence } from "../../base/errors.ts";
import { lineFinder } from "../../output/finder.ts";
import type { LogQuery } from "../../output/query.ts";

/** Returns why a query cannot be searched; null if it can. */
export async function problemOf(query: LogQuery): Promise<Sentence | null> {
  try {
    await lineFinder(query, "q");
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { key: error.key, params: error.params };
  }
}
