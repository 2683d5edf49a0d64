import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Folders with files that a server reads beside the bundle of the build. */
const PARTS = [
  ...["_fresh", "_generated", "demo", "docs", "lib", "locales", "packaging", "scripts", "static"],
];

/** Files that neither a server nor its operator reads: modules, tests, pictures, decisions. */
const OMITTED = [
  /\.tsx?$/,
  /^lib\/.*\.css$/,
  /\.same$/,
  /(^|\/)(testdata|__pycache__|decisions|images)\//,
  /^docs\/development\.md$/,
  /^_fresh\/(sources|server\.js)$/,
  /^packaging\/(?!monitoring\/|proxies\/)/,
];

/** Copies the built application to `app`. Its npm packages are in the bundle. */
export async function copyApplication(app: string): Promise<void> {
  for (const part of PARTS) {
    for (const path of await filesOf(join(ROOT, part))) {
      const name = relative(ROOT, path);
      if (OMITTED.some((pattern) => pattern.test(name))) continue;
      await Deno.mkdir(dirname(join(app, name)), { recursive: true });
      await Deno.copyFile(path, join(app, name));
    }
  }
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) =>
    join(parentPath, name)
  );
}
