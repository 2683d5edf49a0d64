/** Lines of a toolchain: pure, because forms check them as builds read them. */

const PYTHON = /^3\.\d{1,2}$/;
const VERSION = String.raw`\d[\w.!+*-]{0,40}`;
const RANGE = String.raw`(?:===|[=<>!~]=|<|>)\s*${VERSION}`;
const CORE = new RegExp(`^(?:${VERSION}|${RANGE}(?:\\s*,\\s*${RANGE}){0,5})$`);
/**
 * A name with extras, then a range or an address, a marker, and hashes. Never an option of pip, nor
 * a "$", because pip and uv put variables of the process into lines.
 */
const REQUIREMENT = new RegExp(
  String.raw`^[A-Za-z0-9][\w.-]{0,100}(?:\[[\w., -]{1,200}\])?` +
    String.raw`(?:\s*${RANGE}(?:\s*,\s*${RANGE}){0,5}|\s+@\s+https?:\/\/[^\s@$]{1,400})?` +
    String.raw`(?:\s*;\s*[^-\s](?:(?!\s-)[^#$]){0,200}?)?(?:\s--hash=sha256:[0-9a-f]{64}){0,20}$`,
);
const COLLECTION = new RegExp(
  String.raw`^([a-z_]\w{0,60}\.[a-z_]\w{0,60})` +
    String.raw`(?:\s*:?\s*(${VERSION}|${RANGE}(?:,${RANGE}){0,5}))?` +
    String.raw`((?:\s+signature=(?:https|file):\/\/[^\s@]{1,400}){0,5})$`,
);

const PART = "[a-z0-9]+(?:[._-]+[a-z0-9]+)*";
/**
 * A name with a registry, a tag and a digest. Before ":", podman reads the names of its transports,
 * which load files of the machine. Such an image could even have the name of another one.
 */
const IMAGE = new RegExp(
  String.raw`^(?!(?:atomic|containers-storage|dir|docker|docker-archive|docker-daemon|oci` +
    String.raw`|oci-archive|ostree|sif|tarball):)${PART}(?::\d{1,5}(?=/))?(?:/${PART}){0,20}` +
    String.raw`(?::\w[\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`,
);

export const isImage = (text: string): boolean => IMAGE.test(text);
export const isPython = (text: string): boolean => PYTHON.test(text);
export const isCoreVersion = (text: string): boolean => CORE.test(text);
export const isRequirement = (line: string): boolean => REQUIREMENT.test(line);
export const isCollection = (line: string): boolean => COLLECTION.test(line);

/** Returns the lines that say something: without comments, and without spaces at their ends. */
export const linesOf = (text: string): string[] =>
  text.split("\n").map((line) => line.replace(/(?<!\S)#.*$/, "").trim()).filter(Boolean);

/** A collection as a requirements file of ansible-galaxy describes it. */
interface CollectionRequirement {
  name: string;
  version: string;
  /** Missing if there is none, because ansible-galaxy asks for a keyring even for an empty list. */
  signatures?: string[];
}

/** Returns a collection's line in parts. `isCollection` has accepted it. */
export function readCollection(line: string): CollectionRequirement {
  const [, name, version = "*", signed = ""] = COLLECTION.exec(line)!;
  const signatures = signed.split(/\s+/).filter(Boolean).map((word) => word.slice(10));
  return {
    name,
    version: version.replaceAll(/\s/g, ""),
    ...signatures.length > 0 && { signatures },
  };
}

/** Returns ansible-core as pip reads it. "2.16" stands for its latest release. */
export function coreRequirement(version: string): string {
  if (version === "") return "";
  if (/^\d+\.\d+$/.test(version)) return `ansible-core~=${version}.0`;
  return `ansible-core${/^\d/.test(version) ? "==" : ""}${version}`;
}

/**
 * Versions of Python 3 that releases of ansible-core support: the first release, then the oldest
 * and the newest Python. See "ansible-core support matrix" in Ansible's documentation. pip does not
 * know it: it would install an old release for a Python that it fails with.
 */
const SUPPORTED: [release: number, oldest: number, newest: number][] = [
  [20, 12, 14],
  [18, 11, 13],
  [16, 10, 12],
  [14, 9, 11],
  [0, 8, 10],
];
const NEWEST = 14;

/** Returns the Pythons to try for an ansible-core, the best one first. */
export function pythonsFor(ansibleCore: string, python: string): string[] {
  if (python !== "") return [python];
  const release = /(?<!\d)2\.(\d+)/.exec(ansibleCore)?.[1];
  const [, oldest, newest] = release === undefined
    ? [0, 9, NEWEST]
    : SUPPORTED.find(([first]) => Number(release) >= first)!;
  return Array.from({ length: newest - oldest + 1 }, (_, n) => `3.${newest - n}`);
}
