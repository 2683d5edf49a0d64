/**
 * Maximum number of hosts in a range such as `web[001:100]`. A longer range is found as written.
 */
const RANGE_MAX = 1_000;

/**
 * Returns the first `max` different hosts that a static inventory names, as far as it can be
 * parsed.
 */
export function hostsOf(type: "static" | "static-yaml", text: string, max = Infinity): string[] {
  const hosts = new Set<string>();
  for (const host of type === "static" ? iniHosts(text) : yamlHosts(text)) {
    if (hosts.size >= max) break;
    hosts.add(host);
  }
  return [...hosts];
}

/** Returns the first `max` different groups that a static inventory names, without "all". */
export function staticGroups(type: "static" | "static-yaml", text: string, max: number): string[] {
  const groups = new Set<string>();
  for (const group of type === "static" ? iniGroups(text) : yamlNames(text, "group")) {
    if (groups.size >= max) break;
    if (group !== "all" && group !== "ungrouped") groups.add(group);
  }
  return [...groups];
}

function* iniGroups(text: string): Generator<string> {
  for (const [, group] of text.matchAll(/^[ \t]*\[([^\]:\n]+)(?::[a-z]+)?\]/gm)) yield group;
}

/** In INI, a host is the first word of a line, except in sections of groups and variables. */
function* iniHosts(text: string): Generator<string> {
  let isHosts = true;
  for (const line of text.split("\n")) {
    const [word = ""] = line.trimStart().split(/[\s#;]/, 1);
    if (word.startsWith("[")) isHosts = !/:(?:vars|children)\]/.test(line);
    else if (isHosts && word !== "") yield* expand(withoutPort(word));
  }
}

const withoutPort = (host: string) => host.replace(/^([^:]+):\d+$/, "$1");

/** Role of a key in a YAML inventory. There are no hosts below other keys. */
type Role = "group" | "hosts" | "children" | "host" | "other";

function roleOf(name: string, above: Role | undefined): Role {
  if (above === undefined || above === "children") return "group";
  if (above === "hosts") return "host";
  return above === "group" && (name === "hosts" || name === "children") ? name : "other";
}

/** A key at the beginning of a line. A host's key may contain colons. */
const KEY = /^( *)([^\s#]\S*):(?:\s|$)/;

/**
 * In YAML, hosts are the keys of the `hosts` of each group. They are read by their indentation, one
 * per line, as people write them. Parsers would take seconds for crafted inventories.
 */
function* yamlHosts(text: string): Generator<string> {
  for (const host of yamlNames(text, "host")) yield* expand(host);
}

function* yamlNames(text: string, wanted: Role): Generator<string> {
  const path: { indent: number; role: Role }[] = [];
  for (const line of text.split("\n")) {
    const [, { length: indent } = "", key] = KEY.exec(line) ?? [];
    if (key === undefined) continue;
    while (path.length > 0 && path.at(-1)!.indent >= indent) path.pop();
    const role = roleOf(key, path.at(-1)?.role);
    path.push({ indent, role });
    if (role === wanted) yield key.replace(/^(["'])(.*)\1$/, "$2");
  }
}

/** Returns the hosts of a range: `web[01:03].example.com` stands for three, `db[a:c]` too. */
function expand(pattern: string): string[] {
  const [, before, from, to, step, after] =
    /^([^[]*)\[([a-z]|\d{1,9}):([a-z]|\d{1,9})(?::(\d{1,6}))?\](.*)$/i.exec(pattern) ?? [];
  if (from === undefined || after.includes("[")) return [pattern];
  const isNumber = /^\d/.test(from);
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from, to].map(codeOf);
  const by = Math.max(1, Number(step ?? 1));
  const count = Math.floor((last - first) / by) + 1;
  if (!(count > 0 && count <= RANGE_MAX)) return [pattern];
  const nth = (n: number) =>
    isNumber
      ? String(first + n * by).padStart(from.length, "0")
      : String.fromCharCode(first + n * by);
  return Array.from({ length: count }, (_, n) => before + nth(n) + after);
}

const codeOf = (letter: string) => letter.charCodeAt(0);
