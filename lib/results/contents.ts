import type { HostResult } from "../execution/run/events.ts";
import type { Row } from "./bands.ts";
import { fullResults } from "./full/collect.ts";
import type { ResultText } from "./rows.ts";
import { texts } from "./texts.ts";

interface Content {
  /** Numbers of the stored values; 0 if there is none. */
  text: number;
  diff: number;
  full: number;
  /** Whether there was no room for some of it. */
  isCut: boolean;
}

/**
 * Collects the texts and differences of results, and at most `fullBytesMax` bytes of module
 * answers.
 */
export function resultContents(fullBytesMax: number) {
  const words = texts<ResultText>("texts");
  const diffs = texts<string>("diffs");
  const full = fullResults(fullBytesMax);

  function addText({ message, delegatedTo, itemResults: items }: HostResult): number {
    const text = { message, delegated_to: delegatedTo, items };
    return words.add(text) || words.add({ ...text, items: [] });
  }

  return {
    add(result: HostResult): Content {
      const { message, delegatedTo, itemResults } = result;
      const hasText = message !== "" || delegatedTo !== "" || itemResults.length > 0;
      const text = hasText ? addText(result) : 0;
      const diff = result.diff ? diffs.add(result.diff) : 0;
      const isCut = hasText && text === 0 || Boolean(result.diff) && diff === 0;
      return { text, diff, full: full.add(result), isCut };
    },
    dropped: full.dropped,
    rows: (): Row[] => [...words.take(), ...diffs.take(), ...full.rows()],
  };
}
