import { rowKeys } from "../store/keys.ts";
import { unpackedList } from "../store/rows/packed_json.ts";
import type { Store } from "../store/store.ts";
import { type LogSection, type OutlineHead, PAGE_SECTIONS } from "./outline.ts";
import { getLogHead } from "./store.ts";

/** Returns the sections in the last stored row, for a writer that continues a log. */
export async function lastSections(
  { kv, taskId }: { kv: Store; taskId: number },
  { sections }: OutlineHead,
): Promise<LogSection[]> {
  if (sections === 0) return [];
  const n = Math.ceil(sections / PAGE_SECTIONS) - 1;
  const { value } = await kv.get<Uint8Array | LogSection[]>(rowKeys.taskLogSection(taskId, n));
  return unpackedList(value ?? []);
}

/** Maximum number of sections returned. */
const ANSWER_MAX = 1_000;

/** Sections of an output as its lines announce them. */
interface ReadSections {
  sections: LogSection[];
  /** The section after them. */
  next: LogSection | null;
  /** Line of the first failure; 0 for none. */
  firstFailure: number;
}

/** Returns the plays and Ansible tasks after the first `skip`. */
export async function readSections(
  kv: Store,
  taskId: number,
  { skip, limit = ANSWER_MAX }: { skip: number; limit?: number },
): Promise<ReadSections> {
  const { sections: count, first_failure: firstFailure } = await getLogHead(kv, taskId);
  const wanted = Math.min(limit, ANSWER_MAX);
  const end = Math.min(count, skip + wanted + 1);
  const sections: LogSection[] = [];
  if (skip < end) {
    const first = Math.floor(skip / PAGE_SECTIONS);
    const selector = {
      start: rowKeys.taskLogSection(taskId, first),
      end: rowKeys.taskLogSection(taskId, Math.ceil(end / PAGE_SECTIONS)),
    };
    for await (const { value } of kv.list<Uint8Array | LogSection[]>(selector)) {
      sections.push(...unpackedList(value));
    }
    sections.splice(0, skip - first * PAGE_SECTIONS);
    sections.splice(end - skip);
  }
  return { sections: sections.slice(0, wanted), next: sections.at(wanted) ?? null, firstFailure };
}
