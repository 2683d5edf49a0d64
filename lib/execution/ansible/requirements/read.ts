import { join } from "node:path";
import * as z from "zod";
import { askWorker } from "../../../base/ask_worker.ts";
import { digest } from "../../../base/version.ts";
import { ownFolders } from "../../git/own_files.ts";
import { collectProcess } from "../../process/supervise.ts";
import { baseEnvironment } from "../../process/variables.ts";
import { type RunContext, runError } from "../../run/context.ts";
import type { RequirementFile } from "../inventory/inspect.ts";
import { type FileKind, includedFile, type RequiredEntry, requiredEntry } from "./entries.ts";
import type { ParserQuestion } from "./requirements_worker.ts";

/** A requirement file with what it asks for, included files as well. */
export interface RequiredFile extends Pick<RequirementFile, "kind" | "file"> {
  entries: RequiredEntry[];
}

/** Crafted YAML can take a parser seconds. */
const PARSE_LIMIT_MS = 10_000;
const ENTRIES_MAX = 500;
const INCLUDES_MAX = 50;
/** Length of each file, as in inspect.sh. */
const BYTES_MAX = 64 * 1024;
const SAID_MAX = 300;

/** Returns what requirement files ask for, without those that ask for nothing. */
export async function readRequirements(
  context: RunContext,
  files: RequirementFile[],
  cwd: string,
): Promise<RequiredFile[]> {
  const read: RequiredFile[] = [];
  for (const { kind, file, text } of files) {
    const second = files.find((other) => other.file !== file && stem(other.file) === stem(file));
    if (second) {
      throw runError("errors.run.requirements_twice", { first: file, second: second.file });
    }
    if (text.length > BYTES_MAX) throw tooLarge(file);
    const entries: RequiredEntry[] = [];
    for (const item of await parsed(text, kind, file)) {
      if (!("include" in item)) entries.push(item);
      else entries.push(...await included(context, item.include, cwd));
    }
    if (entries.length > ENTRIES_MAX) throw tooLarge(file);
    if (entries.length > 0) read.push({ kind, file, entries });
  }
  return read;
}

const stem = (file: string) => file.replace(/\.ya?ml$/, "");

const tooLarge = (file: string) => runError("errors.run.requirements_too_large", { file });

/** Reads a file of roles that another one includes. Ansible allows no further includes in it. */
async function included(
  context: RunContext,
  file: string,
  start: string,
): Promise<RequiredEntry[]> {
  const { env, directory, supervision } = context;
  const { stdout, exitCode } = await collectProcess({
    command: ["sh", "-c", READ, "sh", join(start, "/"), file, String(BYTES_MAX + 1)],
    cwd: directory.path,
    env: baseEnvironment(env.path, directory.path),
    limitMs: env.timeLimits.gitMs,
  }, supervision);
  supervision.stop.throwIfAborted();
  const at = stdout.indexOf("\n");
  if (exitCode !== 0) throw runError("errors.run.requirements_missing", { file });
  const isOwn = await ownFolders(env, directory);
  const text = stdout.slice(at + 1);
  if (isOwn(stdout.slice(0, at))) throw runError("errors.run.requirements_missing", { file });
  if (text.length > BYTES_MAX) throw tooLarge(file);
  const items = await parsed(text, "roles", file);
  return items.map((item) => {
    if ("include" in item) throw runError("errors.run.requirements_format", { file });
    return item;
  });
}

/** Prints the real path of a file, which may be relative to the first argument, and its start. */
const READ = `cd "$1" && real=$(realpath -- "$2") && [ -f "$real" ] || exit 1
printf '%s\\n' "$real" && head -c "$3" <"$real"`;

/** Has a worker parse texts, because crafted ones take long. */
export const askParser = (question: ParserQuestion): Promise<unknown> =>
  askWorker(
    new Worker(new URL("./requirements_worker.ts", import.meta.url), { type: "module" }),
    () => question,
    { limitMs: PARSE_LIMIT_MS },
  );

const answerSchema = z.union([
  z.object({ entries: z.array(z.union([includedFile, requiredEntry])).max(10_000) }),
  z.object({ said: z.string().nullable() }),
]);
type Items = Extract<z.output<typeof answerSchema>, { entries: unknown }>["entries"];

const KEPT_MAX = 200;

/** Entries of the files that were read last, by their texts. A worker takes a tenth of a second. */
const kept = new Map<string, Items>();

async function parsed(text: string, kind: FileKind, file: string): Promise<Items> {
  const name = `${kind} ${digest(text, 43)}`;
  const known = kept.get(name);
  if (known) return known;
  const answer = answerSchema.parse(await askParser({ text, kind }));
  if ("said" in answer) {
    if (answer.said === null) throw runError("errors.run.requirements_format", { file });
    const said = answer.said.split("\n")[0].slice(0, SAID_MAX);
    throw runError("errors.run.requirements_yaml", { file, said });
  }
  const { entries } = answer;
  if (entries.filter((item) => "include" in item).length > INCLUDES_MAX) throw tooLarge(file);
  kept.set(name, entries);
  if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
  return entries;
}
