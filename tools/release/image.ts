import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { arch } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { ConfigError } from "../../lib/base/settings/settings.ts";
import { printed, succeeds } from "../../scripts/command.ts";
import { ROOT } from "../package/application.ts";
import { archiveComponents, type Component, wheelComponents } from "../package/components.ts";
import type { Architecture } from "../package/deno_binary.ts";
import { report } from "../package/packages.ts";
import { writeSbom } from "./sboms.ts";

const ENGINES = ["docker", "podman"] as const;
type Engine = (typeof ENGINES)[number];

/** Names of architectures in images and in the kernel. */
const PLATFORMS = { x64: "amd64", arm64: "arm64" };
const KERNEL_NAMES = { x64: "x86_64", arm64: "aarch64" };

const BUILD_LIMIT_MS = 30 * 60_000;

/** Returns the first engine that works here. */
export async function findEngine(): Promise<Engine> {
  for (const engine of ENGINES) if (await printed([engine, "info"]) !== null) return engine;
  throw new ConfigError(`The image needs ${ENGINES.join(" or ")}, with an engine that runs.`);
}

/** Whether this machine runs programs of an architecture, by itself or in an emulator. */
export async function runnableHere(architecture: Architecture): Promise<boolean> {
  if (architecture === arch()) return true;
  const emulator = `/proc/sys/fs/binfmt_misc/qemu-${KERNEL_NAMES[architecture]}`;
  return (await Deno.readTextFile(emulator).catch(() => "")).startsWith("enabled");
}

/**
 * Builds the image of the archives in a folder. Writes it there as `docker load` takes it, with a
 * list of what it contains.
 */
export async function writeImage(
  engine: Engine,
  architecture: Architecture,
  version: string,
  folder: string,
): Promise<void> {
  const tag = `callboard:${version}`;
  const context = await buildContext(folder);
  try {
    await run(engine, [
      ...["build", `--platform=linux/${PLATFORMS[architecture]}`, `--build-arg=VERSION=${version}`],
      // Images in the format of OCI have no health check.
      ...(engine === "podman" ? ["--format=docker"] : []),
      ...[`--file=${context}/packaging/image/Dockerfile`, `--tag=${tag}`, context],
    ]);
  } finally {
    await rm(context, { recursive: true });
  }
  const name = `callboard-${version}-image-${architecture}`;
  const components = [
    ...await archiveComponents(architecture),
    ...await wheelComponents(),
    ...await systemComponents(engine, tag),
  ];
  await writeSbom(join(folder, `${name}.cdx.json`), "callboard-image", components);
  const tar = join(folder, `${name}.tar`);
  await run(engine, ["save", `--output=${tar}`, tag]);
  await pipeline(createReadStream(tar), createGzip({ level: 9 }), createWriteStream(`${tar}.gz`));
  await rm(tar);
  await report(`${tar}.gz`);
}

/** Returns a folder with the files that the Dockerfile copies, which are links where possible. */
async function buildContext(folder: string): Promise<string> {
  const context = await Deno.makeTempDir({ dir: folder, prefix: ".image_" });
  await Deno.mkdir(join(context, "dist"));
  await Deno.mkdir(join(context, "packaging/image"), { recursive: true });
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".tar.gz") || name.includes("-image-")) continue;
    await Deno.link(join(folder, name), join(context, "dist", name));
  }
  for (const name of ["Dockerfile", "healthcheck"]) {
    const path = join("packaging/image", name);
    await Deno.copyFile(join(ROOT, path), join(context, path));
  }
  return context;
}

/** Returns the packages of Debian in an image. Their licenses are in the image. */
async function systemComponents(engine: Engine, tag: string): Promise<Component[]> {
  const query = ["-W", "-f", "${Package} ${Version}\\n"];
  const text = await printed([
    ...[engine, "run", "--rm", "--network=none", "--entrypoint=dpkg-query", tag, ...query],
  ]);
  if (!text) throw new ConfigError("The packages in the image could not be listed.");
  return text.split("\n").sort().map((line) => {
    const [name, version] = line.split(" ");
    const unknown = { license: null, text: null, integrity: null, dependencies: [] };
    return { name: name!, version: version!, from: "deb/debian", ...unknown };
  });
}

async function run(engine: Engine, args: string[]): Promise<void> {
  if (await succeeds([engine, ...args], { limitMs: BUILD_LIMIT_MS })) return;
  throw new ConfigError(`${engine} ${args[0]} failed.`);
}
