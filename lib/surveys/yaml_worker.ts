import process from "node:process";
import { parse } from "yaml";
import { type ChoicesAt, choicesIn } from "./read_choices.ts";

// The parser reads variables for its own debugging, which the server may not read.
Object.defineProperty(process, "env", { value: {} });

/** Values keep their text, so that 1.10 and 0755 are choices as they were written. */
const OPTIONS = { schema: "failsafe", uniqueKeys: false, maxAliasCount: 100 } as const;

self.onmessage = ({ data }: MessageEvent<{ text: string; positions: ChoicesAt[] }>) => {
  try {
    const document = parse(data.text, OPTIONS);
    self.postMessage(data.positions.map((at) => choicesIn(document, at)));
  } catch {
    const problem = { key: "errors.choices.not_parsed" };
    self.postMessage(data.positions.map(() => ({ choices: null, problem })));
  }
};

self.postMessage("loaded");
