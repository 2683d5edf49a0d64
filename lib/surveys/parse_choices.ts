import { askWorker } from "../base/ask_worker.ts";
import { parseExact } from "../base/text/exact_json.ts";
import { byteLength } from "../base/fields.ts";
import { digest } from "../base/version.ts";
import { type Memory, memoryPart } from "../store/memory.ts";
import { inTurn } from "../store/transact.ts";
import type { ChoiceList } from "./choices.ts";
import { type ChoicesAt, choicesIn, DOCUMENT_BYTES_MAX, TOO_LARGE } from "./read_choices.ts";

/** Crafted YAML can take a parser seconds. */
const PARSE_LIMIT_MS = 5_000;
/** Each worker takes some 15 MB of memory. */
const WORKERS_MAX = 2;
const KEPT_MAX = 200;

/** Positions in a document that a worker is going to parse, and their choices. */
interface Batch {
  positions: ChoicesAt[];
  lists: Promise<ChoiceList[]>;
}

const documents = memoryPart("choices", () => ({
  /** Choices of the documents that were read last, by their texts and positions. */
  kept: new Map<string, Promise<ChoiceList>>(),
  /** By the hash of the document. */
  batches: new Map<string, Batch>(),
}));

/** Returns the choices at a position of a document in YAML or JSON, or a problem. */
export function parseChoices(
  store: { memory: Memory },
  text: string,
  at: ChoicesAt,
): Promise<ChoiceList> {
  if (byteLength(text) > DOCUMENT_BYTES_MAX) {
    return Promise.resolve({ choices: null, problem: TOO_LARGE });
  }
  const { kept } = documents.of(store);
  const hash = digest(text, 43);
  const name = JSON.stringify([hash, at.key, at.by]);
  const known = kept.get(name);
  const parsed = known ?? parse(store, text, hash, at).catch(() => {
    kept.delete(name); // A busy machine may have been too slow.
    return { choices: null, problem: { key: "errors.choices.not_parsed" } };
  });
  kept.delete(name);
  kept.set(name, parsed);
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
  return parsed;
}

async function parse(
  store: { memory: Memory },
  text: string,
  hash: string,
  at: ChoicesAt,
): Promise<ChoiceList> {
  const document = parseJson(text);
  return document ? choicesIn(document.value, at) : await parseYaml(store, text, hash, at);
}

function parseJson(text: string): { value: unknown } | null {
  try {
    return { value: parseExact(text) };
  } catch {
    return null;
  }
}

/** Reads all positions that are asked for until the worker has loaded: parsing may be slow. */
async function parseYaml(
  store: { memory: Memory },
  text: string,
  hash: string,
  at: ChoicesAt,
): Promise<ChoiceList> {
  const { batches } = documents.of(store);
  let batch = batches.get(hash);
  if (!batch) {
    const positions: ChoicesAt[] = [];
    const close = () => batches.delete(hash);
    const work = () => parseInWorker(text, positions, close);
    batch = { positions, lists: inTurn(store, "choices", work, WORKERS_MAX) };
    batches.set(hash, batch);
  }
  const index = batch.positions.push(at) - 1;
  return (await batch.lists)[index];
}

/** Parses outside the event loop, in a worker that is ended after its time. Throws if it is. */
const parseInWorker = (
  text: string,
  positions: ChoicesAt[],
  close: () => void,
): Promise<ChoiceList[]> =>
  askWorker(
    new Worker(new URL("./yaml_worker.ts", import.meta.url), { type: "module" }),
    () => ({ text, positions }),
    { limitMs: PARSE_LIMIT_MS, onLoaded: close },
  );
