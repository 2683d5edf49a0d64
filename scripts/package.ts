import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import denoJson from "../deno.json" with { type: "json" };
import { ConfigError } from "../lib/base/settings.ts";
import { build } from "./build.ts";
import { printed } from "./command.ts";
import { say } from "./console.ts";
import { placeApplication, ROOT } from "./package/application.ts";
import { writeArchive } from "./package/archive.ts";
import { commandScript } from "./package/command.ts";
import { type Architecture, ARCHITECTURES, DENO, denoBinary } from "./package/deno_binary.ts";
import { runScript } from "./run_script.ts";

const USAGE = "Usage: deno task package [--arch=x64|arm64] [--out=dist]";

/** Files of the project that operators read. */
const DOCUMENTS = ["CHANGELOG.md", "LICENSE"];

/** Writes the archives and their checksums. Two runs on one commit write equal files. */
async function main(args: string[]): Promise<void> {
  const options = { arch: { type: "string" }, out: { type: "string", default: "dist" } } as const;
  const { arch, out } = parseArgs({ args, options }).values;
  const architectures = ARCHITECTURES.filter((name) => !arch || name === arch);
  if (architectures.length === 0) throw new ConfigError(USAGE);
  const folder = resolve(Deno.env.get("INIT_CWD") ?? ".", out);
  const mtime = await sourceTime();
  await build();
  await Deno.mkdir(folder, { recursive: true });
  const stage = await Deno.makeTempDir({ prefix: "callboard_package_" });
  try {
    const app = join(stage, "app");
    await placeApplication(ROOT, app);
    for (const architecture of architectures) {
      const archive = join(folder, `${nameOf(architecture)}.tar.gz`);
      await place(architecture, app, join(stage, nameOf(architecture)));
      await writeArchive(join(stage, nameOf(architecture)), archive, mtime);
      await Deno.rename(join(stage, nameOf(architecture), "app"), app);
      const { size } = await Deno.stat(archive);
      say(`${archive}, ${(size / 1e6).toFixed(1)} MB, with Deno ${DENO[architecture].version}`);
    }
    await writeChecksums(folder);
  } finally {
    await Deno.remove(stage, { recursive: true });
  }
}

const nameOf = (architecture: Architecture): string =>
  `callboard-${denoJson.version}-linux-${architecture}`;

/** Puts the contents of an archive into the folder `top`. */
async function place(architecture: Architecture, app: string, top: string): Promise<void> {
  for (const name of ["bin", "lib"]) await Deno.mkdir(join(top, name), { recursive: true });
  await Deno.rename(app, join(top, "app"));
  const binary = await denoBinary(architecture, join(ROOT, "data", "deno"));
  await Deno.copyFile(binary, join(top, "lib", "deno"));
  await Deno.writeTextFile(join(top, "bin", "callboard"), commandScript(denoJson), { mode: 0o755 });
  await Deno.writeTextFile(join(top, "VERSION"), `${denoJson.version}\n`);
  for (const name of DOCUMENTS) await Deno.copyFile(join(ROOT, name), join(top, name));
}

/** Returns the time of all files: that of the commit, unless SOURCE_DATE_EPOCH states another. */
async function sourceTime(): Promise<Date> {
  const seconds = Deno.env.get("SOURCE_DATE_EPOCH") ||
    await printed(["git", "-C", ROOT, "log", "-1", "--format=%ct"]);
  if (!seconds || !/^\d+$/.test(seconds)) {
    throw new ConfigError("Set SOURCE_DATE_EPOCH: this folder is not a working copy of git.");
  }
  return new Date(Number(seconds) * 1000);
}

/** Writes SHA256SUMS for all archives and packages in the folder. */
async function writeChecksums(folder: string): Promise<void> {
  const lines: string[] = [];
  for (const { name } of [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1)) {
    if (name === "SHA256SUMS") continue;
    const hash = createHash("sha256");
    await pipeline(createReadStream(join(folder, name)), hash);
    lines.push(`${hash.digest("hex")}  ${basename(name)}\n`);
  }
  await Deno.writeTextFile(join(folder, "SHA256SUMS"), lines.join(""));
}

if (import.meta.main) await runScript(() => main(Deno.args));
