import type { HostResult } from "../execution/run/events.ts";
import type { Row } from "./bands.ts";
import type { ResultText } from "./rows.ts";
import { texts } from "./texts.ts";

interface Content {
  /** Their numbers; 0 where there is none. */
  text: number;
  diff: number;
  /** Whether there was no room for some of it. */
  isCut: boolean;
}

/** What results say, and what they have changed. */
export function resultContents() {
  const words = texts<ResultText>("texts");
  const diffs = texts<string>("diffs");

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
      return { text, diff, isCut: hasText && text === 0 || Boolean(result.diff) && diff === 0 };
    },
    rows: (): Row[] => [...words.take(), ...diffs.take()],
  };
}
