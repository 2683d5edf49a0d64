import { join } from "node:path";
import { Buffer } from "node:buffer";
import type { SpoolDisk } from "./spool_disk.ts";

/** Size of the part of a list that is in memory, and of its files. */
const PART_BYTES = 256 * 1024;

/** A numbered list of texts without line breaks. Its end is in memory, the rest in files. */
export interface Records {
  /** Number of records so far. */
  readonly count: number;
  /** Adds a record. Resolves immediately unless the disk cannot keep up. */
  add(text: string): void | Promise<void>;
  /** Returns records from number `from` on: at least one if there is one, up to the limits. */
  read(from: number, limits: Limits): Promise<string[]>;
  /** Bytes of the records from number `from` on, rounded up to whole parts. */
  bytesFrom(from: number): number;
  /** Drops the parts whose records all come before number `before`. */
  release(before: number): Promise<void>;
}

interface Limits {
  bytesMax: number;
  itemsMax: number;
}

interface Part {
  first: number;
  count: number;
  bytes: number;
  /** Null once it is only in a file. A full disk may have no file for it. */
  texts: string[] | null;
}

interface RecordsOptions {
  /** Folder of the files, which is created for the first of them. */
  directory: string;
  /** Beginning of their names. */
  name: string;
  disk: SpoolDisk;
  /** Whether records stay in memory, and need no file, once the disk has been full for too long. */
  staysInMemory: boolean;
}

/** Creates an empty list. */
export function createRecords(
  { directory, name, disk, staysInMemory }: RecordsOptions,
): Records {
  let last: Part = { first: 0, count: 0, bytes: 0, texts: [] };
  let parts: Part[] = [last];
  let writing: Promise<void> | null = null;
  let cached: { part: Part; texts: string[] } | null = null;
  const pathOf = ({ first }: Part) => join(directory, `${name}.${first}`);
  const endOf = ({ first, count }: Part) => first + count;
  const isKept = (part: Part) => parts.includes(part);

  async function write(part: Part): Promise<void> {
    const isNeeded = () => isKept(part) && !(staysInMemory && disk.isLate);
    if (!await disk.write(pathOf(part), part.texts!.join("\n"), isNeeded)) return;
    part.texts = null;
    if (!isKept(part)) await Deno.remove(pathOf(part));
  }

  /** Begins the next part. Only one part at a time waits for the disk. */
  async function turnOver(): Promise<void> {
    const full = last;
    last = { first: endOf(full), count: 0, bytes: 0, texts: [] };
    parts.push(last);
    while (writing) await writing;
    if (isKept(full)) await (writing = write(full).finally(() => writing = null));
  }

  async function textsOf(part: Part): Promise<string[]> {
    if (part.texts) return part.texts;
    if (cached?.part !== part) {
      cached = { part, texts: (await Deno.readTextFile(pathOf(part))).split("\n") };
    }
    return cached.texts;
  }

  return {
    get count() {
      return endOf(last);
    },
    add(text) {
      last.texts!.push(text);
      last.count++;
      last.bytes += Buffer.byteLength(text) + 1;
      if (last.bytes >= PART_BYTES) return turnOver();
    },
    async read(from, { bytesMax, itemsMax }) {
      const part = parts.find((part) => part.first <= from && from < endOf(part));
      if (!part) return [];
      const texts = await textsOf(part);
      const taken: string[] = [];
      let bytes = 0;
      for (let n = from - part.first; n < texts.length && taken.length < itemsMax; n++) {
        bytes += Buffer.byteLength(texts[n]!) + 1;
        if (bytes > bytesMax && taken.length > 0) break;
        taken.push(texts[n]!);
      }
      return taken;
    },
    bytesFrom: (from) =>
      parts.reduce((sum, part) => endOf(part) > from ? sum + part.bytes : sum, 0),
    async release(before) {
      const gone = parts.filter((part) => part !== last && endOf(part) <= before);
      if (gone.length === 0) return;
      parts = parts.filter((part) => !gone.includes(part));
      // A part that is being written is removed afterwards.
      const written = gone.filter(({ texts }) => !texts);
      for (const part of written) await Deno.remove(pathOf(part));
    },
  };
}
