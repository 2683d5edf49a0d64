import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { buildOptions } from "../fresh.config.ts";
import { COMMIT_FILE } from "../lib/base/machine/program_version.ts";
import { printed } from "./command.ts";
import { compressFiles } from "./compress_files.ts";
import { buildStyles } from "./build_styles.ts";
import { bundleServer } from "./bundle_server.ts";
import { announce } from "./console.ts";

/** All files that may become part of a build or decide how it is made. */
const SOURCES = [
  ...["components", "islands", "lib", "locales", "routes", "scripts", "static", "_generated"],
  ...["deno.json", "deno.lock", "fresh.config.ts", "main.ts"],
];

/** Tests, and what Python compiles for a task, are in no build, so they need no new one. */
const NO_SOURCE = /_test\.tsx?$|\/(testdata|__pycache__)\//;

/** Creates the style sheet, the islands' scripts and the server's bundle, unless they exist. */
export async function build(): Promise<void> {
  const { root } = buildOptions;
  // One build at a time in a folder: a start and tests may begin together.
  using lock = await Deno.open(join(root, "deno.json"));
  await lock.lock(true);
  const outDir = join(root, buildOptions.outDir);
  const record = join(outDir, "sources");
  // The style sheet comes first, because it is a static file and so a source of the build.
  await buildStyles(root);
  const sources = await hashSources(root);
  if (await Deno.readTextFile(record).catch(() => "") === sources) return await noteCommit(root);

  announce("building", "Building the pages. This takes about a minute …");
  await Deno.remove(outDir, { recursive: true }).catch(() => {});
  // Fresh takes the build's name from here when it is loaded. So all servers and all starts create
  // the same addresses from the same sources.
  Deno.env.set("DENO_DEPLOYMENT_ID", sources);
  const { Builder } = await import("fresh/dev");
  await new Builder(buildOptions).build({ mode: "production", snapshot: "disk" });
  await compressFiles(root, outDir);
  await bundleServer(root, outDir);
  await noteCommit(root);
  // Written last, so that an interrupted build is done again.
  await Deno.writeTextFile(record, sources);
}

/**
 * Notes the commit of the sources, and whether they differ from it; nothing outside of git. It is
 * no part of the build, which is the same for the same sources.
 */
async function noteCommit(root: string): Promise<void> {
  const git = (...args: string[]) => printed(["git", "-C", root, ...args]);
  // A working copy that contains the sources, but does not track them, has other commits.
  const isTracked = await git("ls-files", "--error-unmatch", "main.ts");
  const commit = isTracked && await git("describe", "--always", "--dirty", "--exclude=*");
  await Deno.writeTextFile(join(root, COMMIT_FILE), commit ?? "");
}

/** Returns a hash of everything that decides how a build is made. */
export async function hashSources(root: string): Promise<string> {
  const paths = (await Promise.all(SOURCES.map((path) => listFiles(join(root, path))))).flat();
  const contents = await Promise.all(paths.map((path) => Deno.readFile(path)));
  const hash = createHash("sha256");
  paths.forEach((path, n) => hash.update(relative(root, path)).update("\0").update(contents[n]));
  return hash.digest("hex").slice(0, 16);
}

/** Returns the files below `path` in a fixed order, or `path` itself. */
async function listFiles(path: string): Promise<string[]> {
  if (!(await Deno.stat(path)).isDirectory) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !NO_SOURCE.test(file)).toSorted();
}

if (import.meta.main) await build();
