import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../../lib/base/settings/settings.ts";
import { PINS, readRequirements } from "../../scripts/ansible/pins.ts";
import { ROOT } from "./application.ts";
import { type Architecture, DENO } from "./deno_binary.ts";

/** Software of others that an archive contains. */
export interface Component {
  name: string;
  version: string;
  /** Kind of the package, and its namespace if it has one, as in its URL (purl). */
  from: "npm" | "pypi" | "deb/debian";
  /** Expression of SPDX; null if it is only in the package itself. */
  license: string | null;
  /** Text of the license; null if it is only in the package itself. */
  text: string | null;
  /** Hash as in a lock of npm, or null. */
  integrity: string | null;
  /** Names with versions, as `idOf` returns them. */
  dependencies: string[];
}

export const idOf = ({ name, version }: Pick<Component, "name" | "version">): string =>
  `${name}@${version}`;

/** Returns what the archive of an architecture contains: Deno, icons and the packages of npm. */
export async function archiveComponents(architecture: Architecture): Promise<Component[]> {
  const { name, version, integrity } = DENO[architecture];
  const deno = { name, version, integrity, license: "MIT", text: await ownText("deno") };
  // The drawings that tools/pick_icons.ts has copied.
  const lucide = { name: "lucide-static", version: "1.62.0", license: "ISC AND MIT" };
  const common = { from: "npm", dependencies: [] } as const;
  return [
    { ...deno, ...common, dependencies: [] },
    { ...lucide, ...common, integrity: null, dependencies: [], text: await ownText("lucide") },
    ...await npmComponents(),
  ].sort((a, b) => idOf(a) < idOf(b) ? -1 : 1);
}

/** Returns what an archive of Ansible contains. Each wheel has its license in it. */
export async function wheelComponents(): Promise<Component[]> {
  const found = new Map<string, Component>();
  for (const { file } of PINS) {
    for (const [name, version] of readRequirements(await Deno.readTextFile(file))) {
      const common = { from: "pypi", license: null, text: null, integrity: null } as const;
      const component: Component = { name, version, ...common, dependencies: [] };
      found.set(idOf(component), component);
    }
  }
  return [...found.keys()].sort().map((id) => found.get(id)!);
}

interface Lock {
  specifiers: Record<string, string>;
  npm: Record<string, { integrity: string; dependencies?: string[] }>;
}

/** Packages that only the build runs. Those of the scripts that it makes are in the archive. */
const BUILD_ONLY = /^(@jridgewell\/|@unocss\/|esbuild$)/;

/** Returns the packages of npm that the server or its pages load. */
async function npmComponents(): Promise<Component[]> {
  const { imports } = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));
  const lock: Lock = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.lock")));
  const found = new Map<string, Component>();
  const add = async (key: string): Promise<string> => {
    const { name, version } = parse(key);
    const id = idOf({ name, version });
    if (found.has(id)) return id;
    const { integrity, dependencies = [] } = lock.npm[key]!;
    const component = {
      name,
      version,
      from: "npm",
      integrity,
      dependencies: [] as string[],
    } as const;
    found.set(id, { ...component, license: null, text: null });
    for (const each of dependencies) {
      // The bundles have Preact in place of React.
      const own = packageOf(imports[each] ?? "") ?? each;
      component.dependencies.push(await add(keyOf(lock, own)));
    }
    found.set(id, { ...component, ...await licenseOf(component) });
    return id;
  };
  for (const [name, specifier] of Object.entries<string>(imports)) {
    const wanted = packageOf(specifier);
    if (wanted && !BUILD_ONLY.test(name)) await add(keyOf(lock, wanted));
  }
  return [...found.values()];
}

/** Returns the package and version of an npm specifier. */
const packageOf = (specifier: string): string | undefined =>
  specifier.match(/^npm:((?:@[^/]+\/)?[^/]+)/)?.[1];

/** Parses a name of the lock, such as `a@1.0.0_b@2.0.0`, where b is a peer. */
function parse(key: string): { name: string; version: string } {
  const [, name, version] = key.match(/^(@?[^@]+)@([^_]+)/)!;
  return { name: name!, version: version! };
}

/** Returns the lock's name of a dependency, which names no version if there is one only. */
function keyOf({ npm }: Lock, dependency: string): string {
  const key = dependency in npm
    ? dependency
    : Object.keys(npm).find((key) =>
      key.startsWith(`${dependency}@`) || key.startsWith(`${dependency}_`)
    );
  if (!key) throw new ConfigError(`deno.lock does not list ${dependency}.`);
  return key;
}

async function licenseOf(
  { name, version }: { name: string; version: string },
): Promise<Pick<Component, "license" | "text">> {
  const folder = join(
    ...[ROOT, "node_modules", ".deno", `${name.replace("/", "+")}@${version}`],
    ...["node_modules", name],
  );
  const { license } = JSON.parse(await Deno.readTextFile(join(folder, "package.json")));
  const files = (await readdir(folder)).filter((file) =>
    /^(licen[cs]e|copying|notice)/i.test(file)
  );
  const texts = await Promise.all(
    files.sort().map((file) => Deno.readTextFile(join(folder, file))),
  );
  return { license, text: texts.join("\n") || await ownText(name) };
}

/** Returns the text of a license that a package does not contain. */
async function ownText(name: string): Promise<string> {
  const path = join(ROOT, "packaging", "licenses", `${name.replace("/", "+")}.txt`);
  try {
    return await Deno.readTextFile(path);
  } catch (cause) {
    throw new ConfigError(`${name} contains no license. Write it to ${path}.`, { cause });
  }
}
