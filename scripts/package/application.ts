import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { succeeds } from "../command.ts";
import { ConfigError } from "../../lib/base/settings.ts";

/** Files and folders that a server or its operator reads, apart from its npm packages. */
const PARTS = [
  ...["_fresh", "_generated", "components", "demo", "docs", "islands", "lib", "locales", "routes"],
  ...["packaging/monitoring", "packaging/proxies"],
  ...["scripts", "static", "deno.lock", "fresh.config.ts", "main.ts"],
];

/** Files below these that no server reads: tests, parts of the build, pictures. */
const OMITTED =
  /_test\.tsx?$|\.(css|same)$|(^|\/)(testdata|__pycache__|decisions|images)\/|^_fresh\/sources$|^scripts\/(bench|soak|package)[/.]/;
/** The style sheet is served. */
const KEPT = /^_generated\//;

/** Packages that only the build needs, or whose code is in the scripts that the build has made. */
const BUILD_ONLY = /^(@codemirror\/|@lezer\/|@unocss\/|esbuild$|fresh\/dev$|idiomorph$)/;

/** Files of npm packages that nothing runs. */
const UNUSED = /\.(d\.[cm]?ts|map|md|markdown|flow|tsbuildinfo)$/;

/** Copies the built application from `root` to `app`, and installs its packages there. */
export async function placeApplication(root: string, app: string): Promise<void> {
  for (const part of PARTS) {
    for (const path of await filesOf(join(root, part))) {
      const name = relative(root, path);
      if (OMITTED.test(name) && !KEPT.test(name)) continue;
      await Deno.mkdir(dirname(join(app, name)), { recursive: true });
      await Deno.copyFile(path, join(app, name));
    }
  }
  const { version, license, nodeModulesDir, lock, unstable, compilerOptions, imports } = JSON.parse(
    await Deno.readTextFile(join(root, "deno.json")),
  );
  for (const name of Object.keys(imports)) if (BUILD_ONLY.test(name)) delete imports[name];
  const config = { version, license, nodeModulesDir, unstable, compilerOptions, imports };
  const writeConfig = (frozen: boolean) =>
    Deno.writeTextFile(
      join(app, "deno.json"),
      JSON.stringify({ ...config, lock: { ...lock, frozen } }, null, 2) + "\n",
    );
  await writeConfig(false);
  const install = [Deno.execPath(), "install", "--quiet", "--config", join(app, "deno.json")];
  if (!await succeeds(install)) throw new ConfigError("The packages could not be installed.");
  await writeConfig(true);
  const modules = join(app, "node_modules");
  for (const path of await filesOf(modules)) {
    if (UNUSED.test(relative(modules, path))) await Deno.remove(path);
  }
}

/** Returns the paths of all files below `path`, or `path` itself. */
async function filesOf(path: string): Promise<string[]> {
  if (!(await Deno.stat(path)).isDirectory) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) =>
    join(parentPath, name)
  );
}

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
