import { AppError, conflict, notFound } from "../../base/errors.ts";
import { chunkCount, readChunks } from "../../store/rows/chunks.ts";
import { getAll } from "../../store/rows/get_all.ts";
import { rowKeys } from "../../store/keys.ts";
import { memoryPart } from "../../store/memory.ts";
import type { Atomic, Store } from "../../store/store.ts";
import { ANSWERS_BYTES_MAX, OPEN_RUNS_MAX } from "../limits.ts";
import type { RunRow } from "../run_schema.ts";
import type { Definition } from "../schema.ts";

/** Encryption adds a few bytes to the answers. */
export const SECRET_CHUNKS_MAX = chunkCount(ANSWERS_BYTES_MAX + 1024);
/** Rows of a definition: its steps and its questions have a limit each. */
const DEFINITION_CHUNKS_MAX = 10;
/** Definitions that a server remembers. They never change. */
const REMEMBERED_MAX = 100;

/** Returns the stored run. Throws not found, also if it is a run of another workflow. */
export async function getRunEntry(
  kv: Store,
  projectId: number,
  workflowId: number,
  id: number,
): Promise<Deno.KvEntry<RunRow>> {
  const entry = await kv.get<RunRow>(rowKeys.workflowRun(projectId, id));
  if (entry.versionstamp === null || entry.value.workflow_id !== workflowId) throw notFound();
  return entry;
}

/** Returns a run by its id; null if there is none. */
export const findRun = async (kv: Store, projectId: number, id: number): Promise<RunRow | null> =>
  (await kv.get<RunRow>(rowKeys.workflowRun(projectId, id))).value;

/** Returns runs of a workflow, latest first. */
export async function listRunRows(
  kv: Store,
  projectId: number,
  workflowId: number,
  { limit, before }: { limit: number; before?: number },
): Promise<RunRow[]> {
  const prefix = rowKeys.workflowRunsBy(projectId, workflowId);
  const selector = before ? { prefix, end: [...prefix, before] } : { prefix };
  const ids = await Array.fromAsync(
    kv.list(selector, { limit, reverse: true }),
    ({ key }) => key.at(-1) as number,
  );
  const rows = await getAll<RunRow>(kv, ids.map((id) => rowKeys.workflowRun(projectId, id)));
  return rows.flatMap(({ value }) => value ?? []);
}

/** Whether a definition is stored already. */
export async function hasDefinition(
  kv: Store,
  { project_id, id, version }: { project_id: number; id: number; version: number },
): Promise<boolean> {
  const first = await kv.get(rowKeys.workflowDefinition(project_id, id, version, 0));
  return first.versionstamp !== null;
}

const remembered = memoryPart("definitions of workflows", () => new Map<string, Definition>());

/** Returns the definition that a run follows. Throws not found once its workflow is deleted. */
export async function readDefinition(
  kv: Store,
  { project_id, workflow_id, version }: Pick<RunRow, "project_id" | "workflow_id" | "version">,
): Promise<Definition> {
  const known = remembered.of(kv);
  const name = `${project_id}/${workflow_id}/${version}`;
  const found = known.get(name);
  if (found) return found;
  const at = (n: number) => rowKeys.workflowDefinition(project_id, workflow_id, version, n);
  const bytes = await readChunks(kv, at, DEFINITION_CHUNKS_MAX);
  if (bytes.length === 0) throw notFound();
  const definition = JSON.parse(new TextDecoder().decode(bytes)) as Definition;
  if (known.size >= REMEMBERED_MAX) known.clear();
  known.set(name, definition);
  return definition;
}

/** Returns the keys of the encrypted secret answers of a run. */
export const secretKey = ({ project_id, id }: Pick<RunRow, "project_id" | "id">) => (n: number) =>
  rowKeys.workflowSecrets(project_id, id, n);

/** Returns the encrypted secret answers of a run; empty once they are deleted. */
export const readRunSecrets = (kv: Store, run: RunRow): Promise<Uint8Array> =>
  readChunks(kv, secretKey(run), SECRET_CHUNKS_MAX);

/** Throws 429 if too many runs of a project have not ended. */
export async function requireRoomForRun(kv: Store, projectId: number): Promise<void> {
  const open = kv.list({ prefix: rowKeys.openWorkflowRuns(projectId) }, { limit: OPEN_RUNS_MAX });
  if ((await Array.fromAsync(open)).length < OPEN_RUNS_MAX) return;
  throw new AppError(429, "errors.workflows.too_many_runs", { max: OPEN_RUNS_MAX });
}

/**
 * Throws 409 while a run of the workflow is open. The commit of `op` fails if one starts meanwhile.
 */
export async function refuseOpenRuns(
  kv: Store,
  op: Atomic,
  projectId: number,
  workflowId: number,
): Promise<void> {
  op.check(await kv.get(rowKeys.referenceGuard(projectId, ["workflows", workflowId])));
  for await (const { value } of kv.list({ prefix: rowKeys.openWorkflowRuns(projectId) })) {
    if (value === workflowId) throw conflict("errors.workflows.run_open");
  }
}
