import { join } from "node:path";
import denoJson from "../../deno.json" with { type: "json" };
import { programVersion } from "../../lib/base/machine/program_version.ts";
import { ConfigError } from "../../lib/base/settings/settings.ts";
import { wheelsName } from "../../scripts/ansible/wheels.ts";
import { build } from "../../scripts/build.ts";
import { printed } from "../../scripts/command.ts";
import { say } from "../../scripts/console.ts";
import { copyApplication, ROOT } from "./application.ts";
import { writeArchive } from "./archive.ts";
import { commandScript } from "./command.ts";
import { archiveComponents, type Component, wheelComponents } from "./components.ts";
import { type Architecture, DENO, denoBinary } from "./deno_binary.ts";
import { sbom } from "./sbom.ts";
import { writeSystemPackages } from "./system_packages.ts";
import { copyWheels } from "./wheels.ts";

/** Files of the project that operators read. */
const DOCUMENTS = ["CHANGELOG.md", "LICENSE"];

const { version } = denoJson;

/** Choice of packages, and the folder to write them to. */
interface PackageOptions {
  architectures: readonly Architecture[];
  folder: string;
  /** Whether the archive of Ansible is left out. */
  withoutAnsible?: boolean;
}

/** Writes the archives and packages. Two runs on one commit write equal files. */
export async function writePackages(
  { architectures, folder, withoutAnsible }: PackageOptions,
): Promise<void> {
  const time = await sourceTime();
  await build();
  await Deno.mkdir(folder, { recursive: true });
  const stage = await Deno.makeTempDir({ prefix: "callboard_package_" });
  try {
    const app = join(stage, "app");
    await copyApplication(app);
    for (const architecture of architectures) {
      const top = join(stage, `callboard-${version}-linux-${architecture}`);
      await Deno.mkdir(top);
      await Deno.rename(app, join(top, "app"));
      await copyCallboard(architecture, top, time);
      await write(top, folder, time);
      const packages = await writeSystemPackages({
        top,
        sources: join(ROOT, "packaging"),
        docs: join(ROOT, "docs"),
        architecture,
        version,
        mtime: time,
        out: folder,
      });
      for (const file of packages) await report(file);
      await Deno.rename(join(top, "app"), app);
      say(`It contains Deno ${DENO[architecture].version}.`);
      if (withoutAnsible) continue;
      const wheels = join(stage, wheelsName(architecture));
      await copyWheels(architecture, wheels);
      await putSbom(wheels, "callboard-ansible", time, await wheelComponents());
      await write(wheels, folder, time);
    }
  } finally {
    await Deno.remove(stage, { recursive: true });
  }
}

/** Adds everything but the application to the folder of an archive. */
async function copyCallboard(architecture: Architecture, top: string, time: Date): Promise<void> {
  for (const name of ["bin", "lib", "licenses"]) await Deno.mkdir(join(top, name));
  const binary = await denoBinary(architecture, join(ROOT, "data", "deno"));
  await Deno.copyFile(binary, join(top, "lib", "deno"));
  await Deno.writeTextFile(join(top, "bin", "callboard"), commandScript(denoJson), { mode: 0o755 });
  await Deno.writeTextFile(join(top, "VERSION"), `${programVersion(version)}\n`);
  for (const name of DOCUMENTS) await Deno.copyFile(join(ROOT, name), join(top, name));
  const components = await archiveComponents(architecture);
  for (const component of components) {
    const file = `${component.name.replace("/", "+")}@${component.version}.txt`;
    await Deno.writeTextFile(join(top, "licenses", file), component.text!);
  }
  await putSbom(top, "callboard", time, components);
}

const putSbom = (top: string, name: string, time: Date, components: Component[]) =>
  Deno.writeTextFile(
    join(top, "sbom.cdx.json"),
    sbom({ name, version: programVersion(version), time }, components),
  );

/** Writes the archive of the folder `top`, and says so. */
async function write(top: string, folder: string, time: Date): Promise<void> {
  const archive = join(folder, `${top.split("/").at(-1)}.tar.gz`);
  await writeArchive(top, archive, time);
  await report(archive);
}

/** Prints the name and the size of a written file. */
export async function report(file: string): Promise<void> {
  const { size } = await Deno.stat(file);
  say(`Wrote ${file}, ${(size / 1e6).toFixed(1)} MB.`);
}

/** Returns the time of all files: that of the commit, unless SOURCE_DATE_EPOCH states another. */
export async function sourceTime(): Promise<Date> {
  const seconds = Deno.env.get("SOURCE_DATE_EPOCH") ||
    await printed(["git", "-C", ROOT, "log", "-1", "--format=%ct"]);
  if (!seconds || !/^\d+$/.test(seconds)) {
    throw new ConfigError("Set SOURCE_DATE_EPOCH: this folder is not a working copy of git.");
  }
  return new Date(Number(seconds) * 1000);
}
