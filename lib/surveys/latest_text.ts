import type { ProjectScope } from "../access/scope.ts";
import { AppError, type Sentence, sentenceOf } from "../base/errors.ts";
import { describeError } from "../base/log.ts";
import { findStoredText, storeText } from "../store/stored_texts.ts";
import { memoryPart } from "../store/memory.ts";

/** A text outside of the store. */
interface TextSource {
  /** Identifies the text in its project. */
  id: string;
  read(): Promise<string>;
}

/** The text of a source, or the last one that was read. */
export interface LatestText {
  /** Null if it was never read. */
  text: string | null;
  /** Time at which it was read, if it could not be read again. */
  asOf?: string;
  /** Reason why it could not be read again. */
  problem?: Sentence;
}

/**
 * Use of a text, which decides its age: a form, a start, which needs the present text, or a person
 * who wants it to be read again.
 */
export type Freshness = "form" | "start" | "reload";

const FORM_AGE_MS = 60_000;
/** A source that has failed is left alone for this time, since each attempt may take seconds. */
const REST_MS = 30_000;
const KEPT_MAX = 50;
const BUSY = "errors.connection_tests.busy";

interface Known {
  latest: LatestText;
  /** In milliseconds of the clock that is never set. */
  ticks: number;
}

/** Texts that this server has read, and those that it is reading, by project and source. */
const texts = memoryPart("texts of surveys", () => ({
  known: new Map<string, Known>(),
  reading: new Map<string, Promise<LatestText>>(),
}));

/** Returns the text of a source. If it cannot be read, that is the last one that was. */
export function latestText(
  scope: ProjectScope,
  source: TextSource,
  freshness: Freshness,
): Promise<LatestText> {
  const { deps: { kv, clock }, projectId } = scope;
  const memory = texts.of(kv);
  const id = `${projectId} ${source.id}`;
  const known = memory.known.get(id);
  const ageMax = known?.latest.problem ? REST_MS : freshness === "form" ? FORM_AGE_MS : 0;
  if (known && freshness !== "reload" && clock.ticks() - known.ticks < ageMax) {
    return Promise.resolve(known.latest);
  }
  const reading = memory.reading.get(id) ?? read(scope, source).then((latest) => {
    memory.known.delete(id);
    // A limit of this server says nothing about the source.
    if (latest.problem?.key === BUSY) return latest;
    memory.known.set(id, { latest, ticks: clock.ticks() });
    if (memory.known.size > KEPT_MAX) memory.known.delete(memory.known.keys().next().value!);
    return latest;
  }).finally(() => memory.reading.delete(id));
  memory.reading.set(id, reading);
  return reading;
}

async function read({ deps, projectId }: ProjectScope, source: TextSource): Promise<LatestText> {
  const name = source.id;
  try {
    const text = await source.read();
    await storeText(deps.kv, projectId, name, { text, readAt: deps.clock.now().toISOString() });
    return { text };
  } catch (error) {
    if (!(error instanceof AppError)) {
      deps.log("error", "choices_not_read", { project: projectId, ...describeError(error) });
    }
    const problem = error instanceof AppError
      ? sentenceOf(error)
      : { key: "errors.choices.unreachable" };
    const kept = await findStoredText(deps.kv, projectId, name);
    return { text: kept?.text ?? null, ...kept && { asOf: kept.readAt }, problem };
  }
}
