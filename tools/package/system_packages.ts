import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConfigError } from "../../lib/base/settings/settings.ts";
import { printed, succeeds } from "../../scripts/command.ts";
import { say } from "../../scripts/console.ts";
import type { Architecture } from "./deno_binary.ts";

/** Contents of both packages. */
interface SystemPackage {
  /** Folder with the contents of the archive. It is moved, and put back at the end. */
  top: string;
  /** The folder `packaging`. */
  sources: string;
  /** Documents for operators. */
  docs: string;
  architecture: Architecture;
  version: string;
  /** Time of all files in the package. */
  mtime: Date;
  /** Where the packages are written. */
  out: string;
}

const DEBIAN: Record<Architecture, string> = { x64: "amd64", arm64: "arm64" };
const RPM: Record<Architecture, string> = { x64: "x86_64", arm64: "aarch64" };

/** Files beside the program, and their modes. */
const FILES: [source: string, target: string, mode: number][] = [
  ["systemd/callboard", "usr/bin/callboard", 0o755],
  ["systemd/callboard.service", "usr/lib/systemd/system/callboard.service", 0o644],
  [
    "systemd/callboard-runner.service",
    "usr/lib/systemd/system/callboard-runner.service",
    0o644,
  ],
  ["systemd/callboard.sysusers", "usr/lib/sysusers.d/callboard.conf", 0o644],
  ["systemd/callboard.tmpfiles", "usr/lib/tmpfiles.d/callboard.conf", 0o644],
  ["systemd/env", "etc/callboard/env", 0o600],
  ["systemd/runner.env", "etc/callboard/runner.env", 0o600],
];
const DOCS = [
  "install.md",
  "isolation.md",
  "operations.md",
  "runners.md",
  "settings.md",
  "single-sign-on.md",
];

/**
 * Writes a .deb and a .rpm with the contents of the archive in /usr/lib/callboard. Equal contents
 * give equal packages. Returns their paths. Leaves one out, and says so, where the program that
 * writes it is missing.
 */
export async function writeSystemPackages(contents: SystemPackage): Promise<string[]> {
  const written: string[] = [];
  const root = await Deno.makeTempDir({ prefix: "callboard_tree_" });
  const program = join(root, "usr", "lib", "callboard");
  try {
    // A package with the mode of a temporary folder would change that of "/".
    await Deno.chmod(root, 0o755);
    for (const [source, target, mode] of FILES) {
      await place(join(contents.sources, source), join(root, target), mode);
    }
    for (const name of DOCS) {
      await place(join(contents.docs, name), join(root, "usr/share/doc/callboard", name), 0o644);
    }
    await place(
      join(contents.top, "LICENSE"),
      join(root, "usr/share/doc/callboard/copyright"),
      0o644,
    );
    await Deno.mkdir(dirname(program), { recursive: true });
    await Deno.rename(contents.top, program);
    try {
      if (await printed(["rpmbuild", "--version"])) written.push(await writeRpm(contents, root));
      else say("The rpm is left out, because rpmbuild is missing (Debian's package rpm).");
      if (await printed(["dpkg-deb", "--version"])) written.push(await writeDeb(contents, root));
      else say("The deb is left out, because dpkg-deb is missing.");
    } finally {
      await Deno.rename(program, contents.top);
    }
  } finally {
    await Deno.remove(root, { recursive: true });
  }
  return written;
}

async function place(source: string, target: string, mode: number): Promise<void> {
  await Deno.mkdir(dirname(target), { recursive: true });
  await Deno.copyFile(source, target);
  await Deno.chmod(target, mode);
}

async function writeDeb(contents: SystemPackage, root: string): Promise<string> {
  const { sources, architecture, version, mtime, out } = contents;
  const file = join(out, `callboard_${version}_${DEBIAN[architecture]}.deb`);
  const control = join(root, "DEBIAN");
  await Deno.mkdir(control);
  for (const { name } of Deno.readDirSync(join(sources, "deb"))) {
    const isScript = /^(pre|post)(inst|rm)$/.test(name);
    await place(join(sources, "deb", name), join(control, name), isScript ? 0o755 : 0o644);
  }
  const text = (await Deno.readTextFile(join(control, "control")))
    .replace("VERSION", version)
    .replace("ARCHITECTURE", DEBIAN[architecture])
    .replace("INSTALLED_SIZE", String(await kibibytes(root)));
  await Deno.writeTextFile(join(control, "control"), text);
  await run("dpkg-deb", ["--root-owner-group", "-Zxz", "-z3", "--build", root, file], mtime);
  await Deno.remove(control, { recursive: true });
  return file;
}

async function writeRpm(contents: SystemPackage, root: string): Promise<string> {
  const { sources, architecture, version, mtime, out } = contents;
  const build = await Deno.makeTempDir({ prefix: "callboard_rpm_" });
  try {
    const define = (name: string, value: string) => ["--define", `${name} ${value}`];
    await run("rpmbuild", [
      ...["-bb", "--quiet", `--target=${RPM[architecture]}-linux`],
      ...define("_topdir", build),
      ...define("_rpmdir", build),
      ...define("callboard_version", version),
      ...define("callboard_tree", root),
      join(sources, "rpm", "callboard.spec"),
    ], mtime);
    const name = `callboard-${version}-1.${RPM[architecture]}.rpm`;
    const file = join(out, name);
    await Deno.copyFile(join(build, RPM[architecture], name), file);
    return file;
  } finally {
    await Deno.remove(build, { recursive: true });
  }
}

async function run(program: string, args: string[], mtime: Date): Promise<void> {
  const env = { SOURCE_DATE_EPOCH: String(mtime.getTime() / 1000) };
  if (!await succeeds([program, ...args], { env })) throw new ConfigError(`${program} failed.`);
}

/** Returns the size of all files in units of 1,024 bytes, as dpkg counts it. */
async function kibibytes(root: string): Promise<number> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const sizes = entries.map(async (entry) =>
    entry.isFile()
      ? Math.ceil((await Deno.stat(join(entry.parentPath, entry.name))).size / 1024)
      : 1
  );
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
}
