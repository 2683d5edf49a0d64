import * as z from "zod";
import { FULL_HASH } from "../../run/requirement_label.ts";

/** One role or collection of a requirement file, as ansible-galaxy reads it. */
export const requiredEntry = z.object({
  kind: z.enum(["role", "collection"]),
  name: z.string(),
  /** An `archive` has an address. A `local` one is a path. */
  from: z.enum(["git", "galaxy", "local", "archive"]),
  /** Address of the git repository, or the path. */
  address: z.string(),
  /** As it was written; empty for none. */
  version: z.string(),
  /** Members of the entry that ansible-galaxy gets beside the version. */
  given: z.record(z.string(), z.unknown()),
});
export type RequiredEntry = z.output<typeof requiredEntry>;

/** Another file of roles. */
export const includedFile = z.object({ include: z.string() });

/** A document that is not a requirement file. */
export class NotRequirements extends Error {}

/** Kinds of content that a file asks for, by its folder. */
export type FileKind = "collections" | "roles" | "both";

/** Returns what a parsed requirement file asks for. Throws `NotRequirements`. */
export function requiredEntries(
  document: unknown,
  kind: FileKind,
): (RequiredEntry | z.output<typeof includedFile>)[] {
  if (document === null || document === undefined) return [];
  if (Array.isArray(document)) {
    if (document.length > 0 && kind === "collections") throw new NotRequirements();
    return document.map(roleOf);
  }
  if (!isObject(document)) throw new NotRequirements();
  const { roles, collections, ...others } = document;
  if (Object.keys(others).length > 0) throw new NotRequirements();
  return [
    ...kind === "collections" ? [] : listOf(roles).map(roleOf),
    ...kind === "roles" ? [] : listOf(collections).map(collectionOf),
  ];
}

/**
 * Returns what a role's or a collection's own file says that it depends on: `meta/main.yml`,
 * `meta/requirements.yml` or `MANIFEST.json`. Leaves out what cannot be read.
 */
export function dependencyEntries(document: unknown): RequiredEntry[] {
  const info = isObject(document) && isObject(document.collection_info)
    ? document.collection_info
    : null;
  if (info) {
    const named = isObject(info.dependencies) ? Object.entries(info.dependencies) : [];
    // An address with a version of its own cannot get another one.
    return named.filter(([name]) => !name.includes(","))
      .flatMap(([name, version]) => readable(() => collectionOf({ name, version })));
  }
  const roles = isObject(document) ? document.dependencies : document;
  return !Array.isArray(roles) ? [] : roles.flatMap((item) => readable(() => roleOf(item)))
    .flatMap((role) => "include" in role ? [] : [role]);
}

function readable<T>(read: () => T): T[] {
  try {
    return [read()];
  } catch {
    return [];
  }
}

/** Whether an entry always stands for the same content. */
export function isExact({ kind, from, version }: RequiredEntry): boolean {
  if (from === "git") return FULL_HASH.test(version);
  if (from === "galaxy") return kind === "role" ? version !== "" : EXACT_VERSION.test(version);
  return false;
}

const EXACT_VERSION = /^={0,2}\s*\d+\.\d+\.\d+([-+][\w.+-]+)?$/;

/** Returns the text of a requirement file with these entries, which is JSON and so YAML, too. */
export function requirementText(entries: RequiredEntry[]): string {
  const of = (kind: RequiredEntry["kind"]) =>
    entries.filter((entry) => entry.kind === kind)
      .map(({ given, version }) => version === "" ? given : { ...given, version });
  const [roles, collections] = [of("role"), of("collection")];
  return JSON.stringify({
    ...roles.length > 0 && { roles },
    ...collections.length > 0 && { collections },
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function listOf(value: unknown): unknown[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw new NotRequirements();
  return value;
}

/** Ansible makes texts of numbers. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : "";

/** Reads a role as `RoleRequirement.role_yaml_parse` of Ansible does. */
function roleOf(item: unknown) {
  if (typeof item === "string") {
    const [src, version = "", name = "", ...more] = item.trim().split(",");
    if (more.length > 0) throw new NotRequirements();
    return roleFrom({ src, version, name, scm: "" });
  }
  if (!isObject(item)) throw new NotRequirements();
  if ("include" in item) return { include: textOf(item.include) };
  const [name, scm, version] = [item.role ?? item.name, item.scm, item.version].map(textOf);
  const src = textOf(item.src) || name;
  const isOnGitHub = /github\.com/.test(src) && /http/.test(src) && !/\+|\.tar\.gz$/.test(src);
  return roleFrom({ src: isOnGitHub ? `git+${src}` : src, version, name, scm });
}

function roleFrom(role: Record<"src" | "version" | "name" | "scm", string>): RequiredEntry {
  const at = role.src.indexOf("+");
  const scm = at < 0 ? role.scm : role.src.slice(0, at);
  const src = role.src.slice(at + 1);
  if (src === "") throw new NotRequirements();
  const name = role.name || lastPartOf(src);
  const given = { name, src: scm ? `${scm}+${src}` : src };
  const entry = { kind: "role" as const, name, version: role.version, given };
  if (scm === "git") return { ...entry, from: "git", address: src };
  if (scm !== "") return { ...entry, from: "archive", address: src };
  if (src.startsWith("file://")) return { ...entry, from: "local", address: src.slice(7) };
  if (src.includes("://")) return { ...entry, from: "archive", address: src };
  return { ...entry, from: GALAXY_ROLE.test(src) ? "galaxy" : "local", address: src };
}

const GALAXY_ROLE = /^[\w-]+(\.[\w-]+){0,2}(?<!\.(tar|tgz|gz|zip))$/;

/** Reads a collection as `Requirement.from_requirement_dict` of Ansible does. */
function collectionOf(item: unknown): RequiredEntry {
  const given: Record<string, unknown> = isObject(item) ? { ...item } : { name: textOf(item) };
  const [name, source, type, written] = [given.name, given.source, given.type, given.version]
    .map(textOf);
  delete given.version;
  const pointer = type && type !== "galaxy" && source ? source : name;
  if (pointer === "") throw new NotRequirements();
  const entry = { kind: "collection" as const, version: written === "*" ? "" : written, given };
  if (type === "git" || !type && /^git[+@]/.test(pointer)) {
    // The version may follow the address.
    const [address, ...rest] = pointer.split(",");
    given[pointer === source && type ? "source" : "name"] = address;
    return {
      ...entry,
      from: "git",
      name: pointer === name ? lastPartOf(address) : name || lastPartOf(address),
      version: rest.length > 0 ? rest.join(",") : entry.version,
      address: address.replace(/^git\+/, "").split("#", 1)[0],
    };
  }
  const shown = { ...entry, name: name || pointer, address: pointer };
  if (type === "galaxy" || !type && GALAXY_COLLECTION.test(name)) {
    return { ...shown, from: "galaxy" };
  }
  const isArchive = type === "url" || !type && /^https?:/i.test(pointer);
  return { ...shown, name: lastPartOf(shown.name), from: isArchive ? "archive" : "local" };
}

const GALAXY_COLLECTION = /^\w+\.\w+$/;

/** Returns the name that Ansible gives the content of an address. A login is never part of it. */
const lastPartOf = (address: string): string =>
  address.includes("://") || address.includes("@")
    ? address.split(/[#,]/, 1)[0].replace(/(?<!\/)\/+$/, "").replace(/(\.git|\.tar\.gz)$/, "")
      .replace(/^.*[/:]/, "")
    : address;
