import { dirname, join, relative, resolve } from "node:path";
import type { NamedPath } from "../../base/settings/named_paths.ts";
import { CODE, PROJECT_FOLDERS, READABLE } from "./folders.ts";
import {
  isWithin,
  lookAtPaths,
  otherNames,
  type PathEnd,
  type PathFacts,
} from "./look_at_paths.ts";

/** Files and folders that runs must not see. All paths are without links. */
export interface HiddenPaths {
  /** Folders that are hidden as a whole, so that whatever is in them later is hidden, too. */
  folders: string[];
  /** Files in folders that runs need, and links to files. */
  files: string[];
  /** Files that runs may read, but not change. */
  fixed: string[];
  /** Files and folders in hidden folders that runs read. */
  shown: string[];
  /** Folders with `{project}` in place of the id, of which a run sees only its own. */
  projectFolders: string[];
}

export const nothingHidden: HiddenPaths = {
  folders: [],
  files: [],
  fixed: [],
  shown: [],
  projectFolders: [],
};

const words = (text: string) => text.split(" ");
/** Folders of the system. A file in one of them is hidden alone, and so is one in a home. */
const SYSTEM = [
  ...words("/ /boot /etc /home /media /mnt /opt /root /run /srv /tmp /var /run/lock /run/user"),
  ...words("/etc/default /etc/sysconfig /var/backups /var/cache /var/lib /var/local /var/log"),
  ...words("/var/mail /var/opt /var/spool /var/tmp"),
];
/** The same, with all folders in them. Certificates and programs there stay readable. */
const SYSTEM_TREES = [
  ...words("/bin /dev /lib /lib32 /lib64 /libx32 /proc /sbin /sys /usr /etc/alternatives"),
  ...words("/etc/ansible /etc/ca-certificates /etc/pki /etc/ssh /etc/ssl"),
];
const isInSystemTree = (path: string) => SYSTEM_TREES.some((tree) => isWithin(path, tree));

/** Returns what runs must not see of the paths that settings name. Changes nothing. */
export async function findHiddenPaths(
  settings: readonly NamedPath[],
  dataDir: string,
): Promise<HiddenPaths> {
  const listed = await Promise.all(settings.map(namedInListing));
  const named = [...settings, ...listed.flat()];
  const isFile = ({ kind }: NamedPath) => ["file", "listing", "trusted"].includes(kind);
  const pathsOf = (list: NamedPath[]) => [...new Set(list.map(fixedPart))];
  const facts = await lookAtPaths(
    pathsOf(named.filter(isFile)),
    [...pathsOf(named.filter((one) => !isFile(one))), dataDir],
  );
  const data = facts.ends.get(dataDir)!.path;
  return await withOtherNames(choose(named, facts, data), facts, data);
}

/** Returns the files that a settings file in JSON names. Its reader reports problems. */
async function namedInListing({ kind, path }: NamedPath): Promise<NamedPath[]> {
  if (kind !== "listing") return [];
  const found: NamedPath[] = [];
  try {
    JSON.parse(await Deno.readTextFile(path), (key, value) => {
      if (!key.endsWith("_file") || typeof value !== "string" || value === "") return;
      found.push({ kind: key === "ca_file" ? "trusted" : "file", path: resolve(value) });
    });
  } catch {
    return [];
  }
  return found;
}

const PROJECT = "{project}";

/** Returns the folder above the first part of a path that differs by project. */
const fixedPart = ({ path }: NamedPath): string =>
  path.includes(PROJECT) ? dirname(`${path.split(PROJECT, 1)[0]}-`) : path;

function choose(named: readonly NamedPath[], facts: PathFacts, data: string): HiddenPaths {
  const endsOf = (...kinds: NamedPath["kind"][]) =>
    named.filter(({ kind }) => kinds.includes(kind)).map((one) => facts.ends.get(fixedPart(one))!);
  const others = endsOf("data").map(({ path }) => path).filter((path) => path !== data);
  const sources = [
    ...endsOf("source").map(({ path }) => path),
    ...others.flatMap((folder) => READABLE.map((name) => join(folder, name))),
  ];
  const secret = endsOf("file", "listing");
  const trusted = endsOf("trusted");
  const isKept = ({ path }: PathEnd) =>
    isInSystemTree(path) || sources.some((source) => isWithin(path, source));
  const alone = [...secret, ...trusted.filter((end) => !isKept(end))];
  const folders = new Set([
    ...others,
    ...endsOf("folder", "usual").map(({ path }) => path),
    ...endsOf("project_folder").map(({ path }) => path).filter((path) => !SYSTEM.includes(path)),
    ...secret.filter(({ kind }) => kind === "folder").map(({ path }) => path),
  ]);
  for (const folder of foldersOf(secret)) {
    const needed = endsOf("programs").map(({ path }) => path).concat(facts.home);
    const isNeeded = SYSTEM.includes(folder) || dirname(folder) === "/home" ||
      isInSystemTree(folder) || needed.some((path) => isWithin(path, folder)) ||
      sources.some((source) => isWithin(folder, source));
    const parts = facts.beside.filter((part) => dirname(part) === folder);
    const isKnown = (part: string) => [...folders, ...sources, CODE, data].includes(part);
    if (!isNeeded && parts.every(isKnown)) folders.add(folder);
  }
  return withoutNested({
    folders: [...folders],
    files: alone.filter(({ kind }) => kind !== "folder").flatMap((
      { path, links },
    ) => [...links, path]),
    fixed: trusted.filter(isKept).map(({ path }) => path),
    shown: sources,
    projectFolders: named.filter(({ path }) => path.includes(PROJECT)).map((one) =>
      join(facts.ends.get(fixedPart(one))!.path, relative(fixedPart(one), one.path))
    ),
  }, data);
}

/** Returns the folders of files and of the links to them, the innermost first. */
const foldersOf = (ends: PathEnd[]): string[] =>
  [...new Set(ends.flatMap(({ path, links }) => [...links, path]).map((path) => dirname(path)))]
    .toSorted((a, b) => b.length - a.length);

/** Leaves out all that is in a folder which is hidden anyway. */
function withoutNested(paths: HiddenPaths, data: string): HiddenPaths {
  const inData = [...READABLE, ...PROJECT_FOLDERS].map((name) => join(data, name));
  const shown = [...inData, ...paths.shown];
  const hides = (folder: string, path: string) =>
    folder !== path && isWithin(path, folder) &&
    !shown.some((part) => isWithin(part, folder) && isWithin(path, part));
  const isOpen = (path: string) =>
    path !== data && ![data, ...paths.folders].some((folder) => hides(folder, path));
  const once = (list: string[]) => [...new Set(list)].filter(isOpen).toSorted();
  return {
    ...paths,
    folders: once(paths.folders),
    files: once(paths.files),
    fixed: once(paths.fixed),
    shown: paths.shown.filter((part) => paths.folders.some((folder) => isWithin(part, folder)))
      .toSorted(),
  };
}

/** Adds further names that mounts give to hidden files and folders, and to the data folder. */
async function withOtherNames(
  paths: HiddenPaths,
  { mounts }: PathFacts,
  data: string,
): Promise<HiddenPaths> {
  const namesOf = async (list: string[]) =>
    (await Promise.all(list.map((path) => otherNames(path, mounts)))).flat();
  const visible = READABLE.map((name) => join(data, name));
  const [folders, files, dataNames, visibleNames] = await Promise.all([
    namesOf(paths.folders),
    namesOf(paths.files),
    namesOf([data]),
    namesOf(visible),
  ]);
  const ofData = dataNames.filter((name) => !visibleNames.includes(name));
  return {
    ...paths,
    folders: [...paths.folders, ...folders, ...ofData],
    files: [...paths.files, ...files],
  };
}
