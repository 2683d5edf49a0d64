import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { shell } from "./shell.ts";

/** A path at its end, where links have been followed. */
export interface PathEnd {
  kind: "file" | "folder" | "none";
  /** Without links. */
  path: string;
  /** Links on the way, without links in their folders. */
  links: string[];
}

/** A part of a file system that is mounted. */
interface Mount {
  device: string;
  /** Path within the file system. */
  root: string;
  /** Path on this machine. */
  point: string;
}

/** Files, folders and mounts that the machine has. */
export interface PathFacts {
  /** By the path as it was asked for. */
  ends: Map<string, PathEnd>;
  /** Folders that are beside one of the links or files. */
  beside: string[];
  /** Home folder of this account. */
  home: string;
  mounts: Mount[];
}

const SCRIPT = fileURLToPath(new URL("./look_at_paths.sh", import.meta.url));

/** Whether a path is a folder or lies below it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(join(folder, "/"));

/**
 * Looks at files, with the links to them, and at other paths. The shell does it, because Deno lets
 * the server look only at its own files.
 */
export async function lookAtPaths(files: string[], others: string[]): Promise<PathFacts> {
  const { stdout } = await shell('exec sh "$@"', SCRIPT, ...files, "--", ...others);
  const facts: PathFacts = { ends: new Map(), beside: [], home: "", mounts: [] };
  const waiting = [...others];
  let asked = "";
  let links: string[] = [];
  for (const line of stdout.split("\n")) {
    const [kind] = line.split(" ", 1);
    const text = line.slice(kind!.length + 1);
    switch (kind) {
      case "path":
        [asked, links] = [text, []];
        break;
      case "link":
        links.push(text);
        break;
      case "file":
      case "folder":
      case "none":
        facts.ends.set(asked, { kind, path: text, links });
        break;
      case "real":
        facts.ends.set(waiting.shift()!, { kind: "folder", path: text, links: [] });
        break;
      case "beside":
        facts.beside.push(text);
        break;
      case "home":
        facts.home = text;
        break;
      case "mount":
        facts.mounts.push(parseMount(text));
    }
  }
  return facts;
}

/** Parses a line of /proc/self/mountinfo, which escapes blanks as `\040`. */
function parseMount(line: string): Mount {
  const [, , device, root, point] = line.split(" ").map((text) =>
    text.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(parseInt(digits, 8)))
  );
  return { device: device!, root: root!, point: point! };
}

/** Returns the other paths that lead to the same file or folder, or into the folder. */
export async function otherNames(path: string, mounts: readonly Mount[]): Promise<string[]> {
  const holder = mounts.filter(({ point }) => isWithin(path, point))
    // The last one is on top of others at the same point.
    .toSorted((a, b) => a.point.length - b.point.length).at(-1);
  if (!holder) return [];
  const inside = join(holder.root, relative(holder.point, path));
  const same = mounts.filter((mount) => mount !== holder && mount.device === holder.device);
  const whole = same.filter(({ root }) => isWithin(inside, root))
    .map(({ root, point }) => join(point, relative(root, inside)))
    .filter((name) => name !== path);
  const parts = same.filter(({ root, point }) =>
    root !== inside && isWithin(root, inside) && !isWithin(point, path)
  ).map(({ root, point }) => ({ name: point, of: join(path, relative(inside, root)) }));
  const names = [...whole.map((name) => ({ name, of: path })), ...parts];
  if (names.length === 0) return [];
  // Another mount may be on top of a name.
  const { stdout } = await shell(SAME, ...names.flatMap(({ name, of }) => [name, of]));
  return stdout.split("\n").filter(Boolean);
}

const SAME = `while [ $# -gt 0 ]; do
  [ ! "$1" -ef "$2" ] || printf '%s\\n' "$1"
  shift 2
done`;
