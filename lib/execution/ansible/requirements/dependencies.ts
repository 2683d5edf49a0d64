import { fileURLToPath } from "node:url";
import * as z from "zod";
import { refuseOwnFiles } from "../../git/own_files.ts";
import { collectProcess } from "../../process/supervise.ts";
import { baseEnvironment, type Variables } from "../../process/variables.ts";
import { type RunContext, runError } from "../../run/context.ts";
import { isExact, type RequiredEntry, requiredEntry } from "./entries.ts";
import { askParser } from "./read.ts";

const SCRIPT = fileURLToPath(new URL("./dependencies.sh", import.meta.url));
const BYTES_MAX = 8 * 1024 * 1024;
const DEPENDENCIES_MAX = 500;

/** Whether a later lookup of an entry may lead to another commit. */
export const moves = (entry: RequiredEntry): boolean => entry.from === "git" && !isExact(entry);

/** Returns an entry with what tells it from others. */
const identity = ({ kind, name, address, version }: RequiredEntry) =>
  JSON.stringify([kind, name, address, version]);

/** Whether two lists have the same entries, in any order. */
export const areSame = (some: RequiredEntry[], others: RequiredEntry[]): boolean =>
  some.map(identity).sort().join() === others.map(identity).sort().join();

/**
 * Returns the git repositories that installed roles and collections depend on, without those that
 * the files ask for themselves. Of several with one name, Ansible installs the first.
 */
export async function gitDependencies(
  context: RunContext,
  folder: string,
  { entries, env }: { entries: RequiredEntry[]; env: Variables },
): Promise<RequiredEntry[]> {
  const texts = await dependencyTexts(context, folder);
  if (texts.size === 0) return [];
  const named = await namedDependencies(texts);
  const found = [...rolesFrom(named, entries), ...collectionsFrom(named, entries)];
  if (found.length > DEPENDENCIES_MAX) {
    throw runError("errors.run.requirements_too_large", { file: found[0].name });
  }
  await refuseOwnFiles(context, found.map(({ address }) => address), env);
  return found;
}

/** Dependencies by the file that names them. */
type Named = Map<string, RequiredEntry[]>;

async function dependencyTexts(
  { env, directory, supervision }: RunContext,
  folder: string,
): Promise<Map<string, string>> {
  const decoder = new TextDecoder();
  let output = "";
  const { stderr, exitCode } = await collectProcess(
    {
      command: ["sh", SCRIPT, folder],
      cwd: directory.path,
      env: baseEnvironment(env.path, directory.path),
      limitMs: env.timeLimits.gitMs,
    },
    supervision,
    (chunk) => {
      if (output.length < BYTES_MAX) output += decoder.decode(chunk, { stream: true });
    },
  );
  supervision.stop.throwIfAborted();
  if (exitCode !== 0) throw runError("errors.run.unforeseen", { detail: stderr.slice(0, 300) });
  return new Map(
    output.split("\0").slice(0, -1).map((part) => {
      const at = part.indexOf("\n");
      return [part.slice(0, at), part.slice(at + 1)] as const;
    }),
  );
}

const answerSchema = z.object({ dependencies: z.array(z.array(requiredEntry)) });

async function namedDependencies(texts: Map<string, string>): Promise<Named> {
  const { dependencies } = answerSchema.parse(
    await askParser({ dependencies: [...texts.values()] }),
  );
  return new Map([...texts.keys()].map((file, n) => [file, dependencies[n]]));
}

function rolesFrom(named: Named, entries: RequiredEntry[]): RequiredEntry[] {
  const of = (role: string) =>
    ["main.yml", "main.yaml", "requirements.yml", "requirements.yaml"]
      .flatMap((file) => named.get(`roles/${role}/meta/${file}`) ?? []);
  const installed = [...named.keys()].flatMap((file) => /^roles\/([^/]+)\//.exec(file)?.[1] ?? []);
  const asked = entries.filter(({ kind }) => kind === "role").map(({ name }) => name);
  const [seen, read] = [new Set(asked), new Set<string>()];
  const found: RequiredEntry[] = [];
  // Those of a role come before those of the roles that it depends on.
  const walk = (queue: string[]) => {
    for (const role of queue) {
      if (read.has(role)) continue;
      read.add(role);
      for (const entry of of(role)) {
        if (seen.has(entry.name)) continue;
        seen.add(entry.name);
        if (entry.from === "git") found.push(entry);
        queue.push(entry.name);
      }
    }
  };
  walk(asked);
  walk(installed);
  return found;
}

function collectionsFrom(named: Named, entries: RequiredEntry[]): RequiredEntry[] {
  const pointers = new Set(
    entries.flatMap(({ given }) => [given.name, given.source].map(String)),
  );
  const found: RequiredEntry[] = [];
  for (const [file, dependencies] of named) {
    if (!file.startsWith("collections/")) continue;
    for (const entry of dependencies) {
      const pointer = String(entry.given.name);
      if (entry.from !== "git" || pointers.has(pointer)) continue;
      pointers.add(pointer);
      found.push(entry);
    }
  }
  return found;
}
