import { inLimit } from "../base/abort.ts";
import { byteLength } from "../base/fields.ts";
import { digest } from "../base/version.ts";
import type { ChoiceList } from "./choices.ts";
import { type ChoicesAt, choicesIn } from "./read_choices.ts";

/** Maximum size of a document with choices. */
export const DOCUMENT_BYTES_MAX = 256 * 1024;
/** Crafted YAML can take a parser seconds. Loading the parser on a busy machine is extra. */
const PARSE_LIMIT_MS = 5_000;
const LOAD_LIMIT_MS = 25_000;
const KEPT_MAX = 200;

/** Choices of the documents that were read last, by their texts and positions. */
const kept = new Map<string, Promise<ChoiceList>>();

/** Returns the choices at a position of a document in YAML or JSON, or a problem. */
export function parseChoices(text: string, at: ChoicesAt): Promise<ChoiceList> {
  if (byteLength(text) > DOCUMENT_BYTES_MAX) {
    const problem = { key: "errors.choices.too_large", params: { bytes: DOCUMENT_BYTES_MAX } };
    return Promise.resolve({ choices: null, problem });
  }
  const name = JSON.stringify([digest(text, 43), at.key, at.by]);
  const known = kept.get(name);
  const parsed = known ?? parse(text, at).catch(() => {
    kept.delete(name); // A busy machine may have been too slow.
    return { choices: null, problem: { key: "errors.choices.not_parsed" } };
  });
  kept.delete(name);
  kept.set(name, parsed);
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
  return parsed;
}

async function parse(text: string, at: ChoicesAt): Promise<ChoiceList> {
  const document = parseJson(text);
  return document ? choicesIn(document.value, at) : await parseYaml(text, at);
}

function parseJson(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** Parses outside the event loop, in a worker that is ended after its time. Throws if it is. */
async function parseYaml(text: string, at: ChoicesAt): Promise<ChoiceList> {
  const worker = new Worker(new URL("./yaml_worker.ts", import.meta.url), { type: "module" });
  const nextMessage = <T>(limitMs: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    return inLimit(promise, limitMs, () => new Error("the parser took too long"));
  };
  try {
    await nextMessage<"loaded">(LOAD_LIMIT_MS);
    worker.postMessage({ text, at });
    return await nextMessage<ChoiceList>(PARSE_LIMIT_MS);
  } finally {
    worker.terminate();
  }
}
