import { join } from "node:path";
import { succeeds } from "../../scripts/command.ts";
import { ConfigError } from "../../lib/base/settings/settings.ts";

/** Architectures of packages, in Node's words. */
export const ARCHITECTURES = ["x64", "arm64"] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** A binary of Deno, as a package of npm. */
interface DenoPackage {
  name: string;
  version: string;
  /** Hash of the package, as the registry states it. */
  integrity: string;
}

/**
 * The version of Deno for each architecture. Both should be the same. The registry did not have
 * 2.9.6 for arm64 when this was written.
 */
export const DENO: Record<Architecture, DenoPackage> = {
  x64: {
    name: "@deno/linux-x64-glibc",
    version: "2.9.6",
    integrity:
      "sha512-3md4TKLCuzsLDmfOoC5KN7NAZaxSVkMgm64vg6foD00JBADCpYS2/5QqXfzgnP5ZQz3iLP9vBQJtEgc116OAoQ==",
  },
  arm64: {
    name: "@deno/linux-arm64-glibc",
    version: "2.9.5",
    integrity:
      "sha512-IuYjsz9PGl7CJcNXMuN27KNDB8Q40brK3SG3l+TXMDVW61ZKwcn0fQHBHnXFiiygEwI8by/fKnASEluhZB1atw==",
  },
};

const DOWNLOAD_LIMIT_MS = 15 * 60_000;

/**
 * Returns the path of Deno's binary for an architecture. Downloads it to `cache` at the first time.
 * Deno's own client does that, with the registry and proxy set up on this machine, and compares the
 * download with its hash.
 */
export async function denoBinary(architecture: Architecture, cache: string): Promise<string> {
  const { name, version, integrity } = DENO[architecture];
  const folder = join(cache, `${name.replace("/", "+")}@${version}`);
  const binary = join(folder, "node_modules", name, "deno");
  if (await exists(binary)) return binary;
  await Deno.mkdir(folder, { recursive: true });
  const specifier = `npm:${name}@${version}`;
  const lock = {
    version: "5",
    specifiers: { [specifier]: version },
    npm: { [`${name}@${version}`]: { integrity, os: ["linux"], cpu: [architecture] } },
    workspace: { dependencies: [specifier] },
  };
  const config = { imports: { deno: specifier }, nodeModulesDir: "auto", lock: { frozen: true } };
  await Deno.writeTextFile(join(folder, "deno.lock"), JSON.stringify(lock));
  await Deno.writeTextFile(join(folder, "deno.json"), JSON.stringify(config));
  const install = [Deno.execPath(), "install", "--quiet", `--arch=${architecture}`, "--os=linux"];
  install.push("--config", join(folder, "deno.json"));
  if (!await succeeds(install, { limitMs: DOWNLOAD_LIMIT_MS })) {
    throw new ConfigError(`Deno ${version} for ${architecture} could not be downloaded.`);
  }
  return binary;
}

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);
