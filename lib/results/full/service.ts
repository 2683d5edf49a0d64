import type { ProjectScope } from "../../access/scope.ts";
import { getTaskRow } from "../../tasks/repository.ts";
import { runOf, type WhichRun } from "../../output/run_id.ts";
import { readResults } from "../find_results.ts";
import { placeOfId } from "../result_ids.ts";
import { readCells, readFull } from "../result_store.ts";
import type { FullHostResult } from "./schema.ts";

/** Returns one result by its id with the full answer of its module; null if there is none. */
export async function findFullResult(
  { deps: { kv }, projectId }: ProjectScope,
  taskId: number,
  resultId: number,
  { preview }: WhichRun = {},
): Promise<FullHostResult | null> {
  const { id } = await getTaskRow(kv, projectId, taskId);
  const run = runOf(id, preview);
  const places = [placeOfId(resultId)];
  const [[result], [found]] = await Promise.all([
    readResults(kv, run, places),
    readCells(kv, run, places),
  ]);
  if (!result || !found) return null;
  const { full: number } = found.cell;
  const full = (await readFull(kv, run, [number])).get(number);
  return { ...result, result: full?.value ?? null, shortened: full?.shortened ?? [] };
}
