import { secretForms } from "./secret_forms.ts";

export const MASK = "***";

export interface Redactor {
  /** Masks in `text` and gives what is sure by now; the rest may be the beginning of a secret. */
  write(text: string): string;
  /** Gives the rest. */
  end(): string;
}

/** What is looked for, prepared once for all that one task prints. */
export interface SecretIndex {
  /** Whether a form may begin with two given units, by their hash. */
  begins: Uint8Array;
  /** Forms by their first two units. */
  byStart: Map<number, string[]>;
  lengthMax: number;
}

/** Two units make the filter fine enough that most places in a log are passed in one look. */
const hashOf = (first: number, second: number) => ((first << 7) ^ second) & 0xffff;
const startOf = (first: number, second: number) => first * 0x10000 + second;

export function indexSecrets(secrets: Iterable<string>): SecretIndex {
  const forms = new Set<string>();
  for (const secret of secrets) secretForms(secret).forEach((form) => forms.add(form));
  const index: SecretIndex = { begins: new Uint8Array(0x10000), byStart: new Map(), lengthMax: 0 };
  // Longest first, so that the first form that fits at a place covers the others.
  for (const form of [...forms].sort((a, b) => b.length - a.length)) {
    const [first, second] = [form.charCodeAt(0), form.charCodeAt(1)];
    index.begins[hashOf(first, second)] = 1;
    const start = startOf(first, second);
    index.byStart.set(start, [...index.byStart.get(start) ?? [], form]);
    index.lengthMax = Math.max(index.lengthMax, form.length);
  }
  return index;
}

/** Masks secrets in a text that comes in pieces, wherever the pieces are cut. */
export function redactor(index: SecretIndex): Redactor {
  let held = "";
  /** How much of `held` belongs to a secret whose mask was already given. */
  let covered = 0;

  function write(text: string): string {
    if (index.lengthMax === 0) return text;
    const all = held + text;
    return mask(all, undecidedFrom(all, index));
  }

  function mask(text: string, until: number): string {
    let out = "";
    let coveredTo = covered;
    for (const [from, to] of findSecrets(text, index)) {
      // Secrets that overlap share one mask: what is left of one must not tell of the other.
      const apart = from >= coveredTo;
      if (apart && from >= until) break;
      if (apart) out += text.slice(coveredTo, from) + MASK;
      coveredTo = Math.max(coveredTo, to);
    }
    if (coveredTo < until) out += text.slice(coveredTo, until);
    covered = Math.max(0, coveredTo - until);
    held = text.slice(until);
    return out;
  }

  return { write, end: () => mask(held, held.length) };
}

/** Every place where a form begins, with the end of the longest one there. */
function* findSecrets(text: string, { begins, byStart }: SecretIndex): Generator<[number, number]> {
  const last = text.length - 1;
  let first = text.charCodeAt(0);
  for (let at = 0; at < last; at++) {
    const second = text.charCodeAt(at + 1);
    if (begins[hashOf(first, second)]) {
      const form = byStart.get(startOf(first, second))?.find((form) => text.startsWith(form, at));
      if (form !== undefined) yield [at, at + form.length];
    }
    first = second;
  }
}

/** Where the longest end of `text` begins that may go on to be a secret. */
function undecidedFrom(text: string, { begins, byStart, lengthMax }: SecretIndex): number {
  for (let at = Math.max(0, text.length - lengthMax + 1); at < text.length - 1; at++) {
    const [first, second] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
    if (!begins[hashOf(first, second)]) continue;
    const end = text.slice(at);
    const forms = byStart.get(startOf(first, second)) ?? [];
    if (forms.some((form) => form.length > end.length && form.startsWith(end))) return at;
  }
  const lastUnit = text.charCodeAt(text.length - 1);
  for (const start of byStart.keys()) {
    if (Math.floor(start / 0x10000) === lastUnit) return text.length - 1;
  }
  return text.length;
}
