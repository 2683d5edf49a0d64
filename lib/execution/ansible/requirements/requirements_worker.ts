import process from "node:process";
import { parse } from "yaml";
import { type FileKind, NotRequirements, requiredEntries } from "./entries.ts";

// The parser reads variables for its own debugging, which the server may not read.
Object.defineProperty(process, "env", { value: {} });

/** Ansible reads YAML 1.1. Tags that are unknown here have no meaning in these files. */
const OPTIONS = {
  version: "1.1",
  uniqueKeys: false,
  maxAliasCount: 100,
  logLevel: "error",
} as const;

self.onmessage = ({ data: { text, kind } }: MessageEvent<{ text: string; kind: FileKind }>) => {
  try {
    self.postMessage({ entries: requiredEntries(parse(text, OPTIONS), kind) });
  } catch (error) {
    const said = error instanceof NotRequirements ? null : String((error as Error).message);
    self.postMessage({ said });
  }
};

self.postMessage("loaded");
