import process from "node:process";
import { parse } from "yaml";
import { dependencyEntries, type FileKind, NotRequirements, requiredEntries } from "./entries.ts";

// The parser reads variables for its own debugging, which the server may not read.
Object.defineProperty(process, "env", { value: {} });

/** Ansible reads YAML 1.1. Tags that are unknown here have no meaning in these files. */
const OPTIONS = {
  version: "1.1",
  uniqueKeys: false,
  maxAliasCount: 100,
  logLevel: "error",
} as const;

/** The text of a requirement file, or those that say what installed content depends on. */
export type ParserQuestion = { text: string; kind: FileKind } | { dependencies: string[] };

self.onmessage = ({ data }: MessageEvent<ParserQuestion>) => {
  if ("dependencies" in data) {
    self.postMessage({ dependencies: data.dependencies.map(dependenciesIn) });
    return;
  }
  try {
    self.postMessage({ entries: requiredEntries(parse(data.text, OPTIONS), data.kind) });
  } catch (error) {
    const said = error instanceof NotRequirements ? null : String((error as Error).message);
    self.postMessage({ said });
  }
};

function dependenciesIn(text: string) {
  try {
    return dependencyEntries(parse(text, OPTIONS));
  } catch {
    // Ansible has read it, or it says more about it.
    return [];
  }
}

self.postMessage("loaded");
