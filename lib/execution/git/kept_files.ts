import { Buffer } from "node:buffer";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { removeTree } from "../process/files.ts";
import { chownToTask } from "../process/isolation.ts";
import { collectProcess } from "../process/supervise.ts";
import { baseEnvironment } from "../process/variables.ts";
import { type RunContext, runError } from "../run/context.ts";
import type { KeptAccess } from "../run/io.ts";
import type { KeptPlan } from "../run/plan.ts";
import type { Workspace } from "./workspace.ts";

/** Paths of a checkout that are kept from one run to the next, and the checkout. */
interface KeptIn extends KeptPlan {
  workspace: Workspace;
}

const SCRIPT = fileURLToPath(new URL("./keep_files.sh", import.meta.url));
const LIMIT_MS = 30_000;
const FILES_MAX = 1_000;
/** Bytes of the archive before it is compressed, which has 1 KiB for each small file. */
const ARCHIVE_BYTES_MAX = 8 * 1024 * 1024;
const TOO_MANY = 3;

/** Puts the kept files into their checkouts. Throws if they exist and cannot be put there. */
export async function restoreKept(
  context: RunContext,
  all: KeptIn[],
  access: KeptAccess | undefined,
): Promise<void> {
  for (const { of, paths, workspace } of withCheckout(all)) {
    const archive = await access?.read(of);
    if (!archive?.length) continue;
    const file = join(context.directory.path, `kept_${of}.tar`);
    const bytes = inflateRawSync(archive, { maxOutputLength: ARCHIVE_BYTES_MAX });
    await Deno.writeFile(file, bytes, { mode: 0o600, createNew: true });
    await chownToTask(context.env.isolation, file);
    const args = ["unpack", workspace.directory, file, ...paths];
    const { exitCode, stderr } = await keepFiles(context, args);
    context.supervision.stop.throwIfAborted();
    await removeTree(file);
    if (exitCode !== 0) throw runError("errors.run.kept_files", { said: saidBy(stderr, exitCode) });
    await context.say(`Put the files that the ${of} keeps into the checkout`);
  }
}

/**
 * Stores the files to keep as a run has left them, also after a failure or a stop: hosts may have
 * the passwords in them already. Says what is not kept, and why.
 */
export async function saveKept(
  context: RunContext,
  all: KeptIn[],
  access: KeptAccess | undefined,
): Promise<void> {
  for (const { of, paths, workspace } of withCheckout(all)) {
    const problem = await save(context, { of, paths, workspace }, access).catch((error) =>
      error instanceof Error ? error.message : String(error)
    );
    if (problem) await context.say(`The files of the ${of} are not kept: ${problem}`);
  }
}

/** A folder that is used in place keeps its files anyway. */
const withCheckout = (all: KeptIn[]) => all.filter(({ workspace }) => workspace.commit !== null);

/** Returns what went wrong, or null. */
async function save(
  context: RunContext,
  { of, paths, workspace }: KeptIn,
  access: KeptAccess | undefined,
): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const tooLarge = new AbortController();
  const { exitCode, stderr } = await keepFiles(
    context,
    ["pack", workspace.directory, String(FILES_MAX), ...paths],
    (chunk) => {
      bytes += chunk.length;
      if (bytes <= ARCHIVE_BYTES_MAX) chunks.push(chunk);
      else tooLarge.abort(); // A sparse file may be as long as it likes.
    },
    tooLarge.signal,
  );
  if (bytes > ARCHIVE_BYTES_MAX) return "they are larger than 8 MB";
  if (exitCode === TOO_MANY) return `there are more than ${FILES_MAX}`;
  if (exitCode !== 0) return saidBy(stderr, exitCode);
  // A play may have removed all of them.
  const archive = bytes === 0 ? new Uint8Array() : deflateRawSync(Buffer.concat(chunks));
  const isStored = await access?.write(of, archive);
  return isStored ? null : "the project has no room for them, or another run has replaced them";
}

/** Runs the script as the run itself could, even after it was stopped. */
function keepFiles(
  { env, directory: { path }, supervision }: RunContext,
  args: string[],
  onOutput?: (chunk: Uint8Array) => void,
  forceStop = new AbortController().signal,
) {
  const never = new AbortController().signal;
  return collectProcess(
    {
      command: ["sh", SCRIPT, ...args],
      cwd: path,
      env: baseEnvironment(env.path, path),
      limitMs: LIMIT_MS,
    },
    { ...supervision, stop: never, forceStop },
    onOutput,
  );
}

const saidBy = (stderr: string, exitCode: number): string =>
  stderr.trim().split("\n").at(-1)?.slice(0, 200) || `exit code ${exitCode}`;
