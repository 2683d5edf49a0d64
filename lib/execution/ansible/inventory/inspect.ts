import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import type { Secret } from "../../../base/secret.ts";
import { inData, ownFolders } from "../../git/own_files.ts";
import { collectProcess } from "../../process/supervise.ts";
import { baseEnvironment } from "../../process/variables.ts";
import { type RunContext, runError } from "../../run/context.ts";
import type { FileKind } from "../requirements/entries.ts";

/** Facts about a checkout as Ansible will find it. */
export interface CheckoutFacts {
  root: string;
  /** Folder in which Ansible starts, without links. */
  workingDirectory: string;
  /** Path of the playbook from there, or the full name of a collection's playbook. */
  playbook: string;
  /** Folder of an ansible.cfg beside or above the playbook that does not apply, or null. */
  unusedConfig: string | null;
  /** Path of a `file` inventory. Links in it stay, because Ansible reads variables beside them. */
  inventory: string | null;
  requirements: RequirementFile[];
  /** The ansible.cfg that applies to the play, wherever it is. Null if there is none. */
  config: AnsibleConfig | null;
}

export interface AnsibleConfig {
  /** Folder that relative paths in it start from. */
  folder: string;
  lines: string[];
}

export interface RequirementFile {
  kind: FileKind;
  /** Its path inside the checkout. */
  file: string;
  text: string;
}

interface Questions {
  /** The roots that are folders used in place. They must not be in the data folder. */
  inPlace: string[];
  root: string;
  playbook: string;
  /** Folder inside the root in which Ansible starts; "." for the root. */
  workingDirectory: string;
  /** The play's home. */
  home: string;
  /** Path of the configuration that the play is given, or null if it is given none. */
  config: string | Secret | null;
  inventory: { root: string; path: string } | null;
}

const SCRIPT = fileURLToPath(new URL("./inspect.sh", import.meta.url));
const LIMIT_MS = 60_000;
/** `namespace.collection.playbook`, which Ansible itself looks up. */
const COLLECTION_PLAYBOOK = /^\w+\.\w+\.\w+(\.\w+)*$/;

/**
 * Inspects a checkout. Throws if its folder cannot be read or is the server's own, or if the
 * playbook or the inventory is missing or outside. Paths are checked without "..", since Ansible
 * removes it before it follows links. This guards the fields of forms: a play, or an inventory that
 * is a script, could read other files itself, as far as the isolation of the run allows. So someone
 * who changes a link after the check gains nothing.
 */
export async function inspectCheckout(
  { env, directory, supervision }: RunContext,
  { inPlace, root, playbook, workingDirectory, home, config, inventory }: Questions,
): Promise<CheckoutFacts> {
  const { stdout, stderr, exitCode } = await collectProcess(
    {
      command: [
        "sh",
        SCRIPT,
        String(inPlace.length),
        ...inPlace,
        root,
        posix.normalize(playbook),
        home,
        posix.normalize(workingDirectory).replace(/\/$/, ""),
        ...(inventory ? [inventory.root, posix.normalize(inventory.path)] : []),
      ],
      cwd: directory.path,
      env: {
        ...baseEnvironment(env.path, directory.path),
        ...(config === null ? {} : { ANSIBLE_CONFIG: config }),
      },
      limitMs: LIMIT_MS,
    },
    supervision,
  );
  supervision.stop.throwIfAborted();
  if (exitCode !== 0) throw new Error(`the checkout cannot be inspected: ${stderr}`);
  const facts: CheckoutFacts = {
    root,
    workingDirectory: root,
    playbook,
    unusedConfig: null,
    inventory: null,
    requirements: [],
    config: null,
  };
  const isOwn = await ownFolders(env, directory);
  let folder = "";
  for (const line of stdout.split("\n").filter(Boolean)) {
    const [what, ...parts] = line.split("\t") as [string, string, string, string];
    if (what === "in place") folder = parts.join("\t");
    if (what === "folder" && isOwn(parts.join("\t"))) throw inData(folder);
    if (what === "no folder") throw folderMissing(parts.join("\t"));
    if (what === "working directory" && workingDirectory !== ".") {
      facts.workingDirectory = validWorkingDirectory(parts, workingDirectory);
    }
    if (what === "playbook") facts.playbook = validPlaybook(parts, playbook, workingDirectory);
    if (what === "unused config") facts.unusedConfig = parts.join("\t");
    if (what === "inventory") facts.inventory = validInventory(parts, inventory?.path ?? "");
    if (what === "config") facts.config = { folder: parts[0], lines: [] };
    if (what === "config line") facts.config?.lines.push(parts.join("\t"));
    if (what === "requirements") addRequirements(facts.requirements, parts);
  }
  return facts;
}

const folderMissing = (path: string) => runError("errors.run.folder_missing", { path });

function validWorkingDirectory([state, real]: string[], path: string): string {
  if (state === "missing") throw runError("errors.run.working_directory_missing", { path });
  if (state !== "ok") throw runError("errors.run.working_directory_outside", { path });
  return real!;
}

/** Returns the playbook as Ansible gets it: from another folder than the root, its whole path. */
function validPlaybook([state, written]: string[], path: string, workingDirectory: string): string {
  if (state === "missing" && COLLECTION_PLAYBOOK.test(path) && !/\.ya?ml$/.test(path)) return path;
  if (state === "missing") throw runError("errors.run.playbook_missing", { path });
  if (state !== "ok") throw runError("errors.run.playbook_outside", { path });
  return workingDirectory === "." ? path : written!;
}

function validInventory([state, written]: string[], path: string): string {
  if (state === "missing") throw runError("errors.run.inventory_missing", { path });
  if (state !== "ok") throw runError("errors.run.inventory_outside", { path });
  return written!;
}

function addRequirements(to: RequirementFile[], [kind, file, base64]: string[]): void {
  if (to.some((known) => known.file === file)) return;
  const text = new TextDecoder().decode(Uint8Array.fromBase64(base64!));
  to.push({ kind: kind as FileKind, file: file!, text });
}
