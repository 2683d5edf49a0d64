/** What a range such as `web[001:100]` may stand for; a longer one is found as it is written. */
const RANGE_MAX = 1_000;

/** The first `max` hosts that a static inventory names, each once; those that it can be read for. */
export function hostsOf(type: "static" | "static-yaml", text: string, max = Infinity): string[] {
  const hosts = new Set<string>();
  for (const host of type === "static" ? iniHosts(text) : yamlHosts(text)) {
    if (hosts.size >= max) break;
    hosts.add(host);
  }
  return [...hosts];
}

/** In INI a host is the first word of a line, but in sections of groups and variables. */
function* iniHosts(text: string): Generator<string> {
  let isHosts = true;
  for (const line of text.split("\n")) {
    const [word = ""] = line.trimStart().split(/[\s#;]/, 1);
    if (word.startsWith("[")) isHosts = !/:(?:vars|children)\]/.test(line);
    else if (isHosts && word !== "") yield* expand(withoutPort(word));
  }
}

const withoutPort = (host: string) => host.replace(/^([^:]+):\d+$/, "$1");

/** What a key of an inventory in YAML stands for; under what is none of these there is no host. */
type Role = "group" | "hosts" | "children" | "host" | "other";

function roleOf(name: string, above: Role | undefined): Role {
  if (above === undefined || above === "children") return "group";
  if (above === "hosts") return "host";
  return above === "group" && (name === "hosts" || name === "children") ? name : "other";
}

/** A key at the beginning of a line; one of a host may have colons in it. */
const KEY = /^( *)([^\s#]\S*):(?:\s|$)/;

/**
 * In YAML hosts are the keys of the `hosts` of each group. They are read by their indentation, a line
 * each, as people write them: parsers take seconds for what somebody might send.
 */
function* yamlHosts(text: string): Generator<string> {
  const path: { indent: number; role: Role }[] = [];
  for (const line of text.split("\n")) {
    const [, { length: indent } = "", key] = KEY.exec(line) ?? [];
    if (key === undefined) continue;
    while (path.length > 0 && path.at(-1)!.indent >= indent) path.pop();
    const role = roleOf(key, path.at(-1)?.role);
    path.push({ indent, role });
    if (role === "host") yield* expand(key.replace(/^(["'])(.*)\1$/, "$2"));
  }
}

/** `web[01:03].example.com` stands for three hosts, `db[a:c]` too. */
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
