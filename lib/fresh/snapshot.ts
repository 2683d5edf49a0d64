import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { SnapshotFile } from "./build_cache.ts";
import type { Bundle } from "./bundle.ts";
import type { Found } from "./crawl.ts";
import type { ResolvedBuildConfig } from "./dev.ts";
import { BUNDLE_PATH } from "./entries.ts";

/** Static files by their addresses. */
export type Statics = Record<string, SnapshotFile>;

export interface Built {
  buildId: string;
  files: Statics;
  bundled: Bundle;
  islands: Record<string, string>;
  found: Found;
}

const HEADER = "// Written by the build: changes to this file are lost.\n";

/** The module that tells a server what was built. */
export function writeSnapshot({ root, outDir }: ResolvedBuildConfig, built: Built): string {
  const { buildId, files, bundled, islands, found } = built;
  const imports: string[] = [];
  const specifier = (path: string) => specifierFrom(outDir, path);
  const imported = (path: string) => {
    const name = `module${imports.length}`;
    imports.push(`import * as ${name} from ${specifier(path)};`);
    return name;
  };
  const islandLines = Object.entries(islands).map(([name, path]) => {
    const file = BUNDLE_PATH + bundled.entries.get(name);
    return `  { file: "${file}", module: ${imported(path)} },`;
  });
  const routeLines = found.routes.map(({ filePath, isLazy, ...route }) => {
    const module = isLazy ? `() => import(${specifier(filePath)})` : imported(filePath);
    return `  { ...${JSON.stringify(route)}, module: ${module} },`;
  });
  const fileLines = Object.entries(files).map(([address, file]) => {
    const filePath = relative(root, file.filePath);
    return `  ${JSON.stringify(address)}: ${JSON.stringify({ ...file, filePath })},`;
  });
  const client = BUNDLE_PATH + bundled.entries.get("client");
  return [
    HEADER + imports.join("\n"),
    `export const buildId = "${buildId}";`,
    `export const clientEntry = "${client}";`,
    `export const islands = [\n${islandLines.join("\n")}\n];`,
    `export const fsRoutes = [\n${routeLines.join("\n")}\n];`,
    `export const staticFiles = {\n${fileLines.join("\n")}\n};\n`,
  ].join("\n");
}

/** The module that serves the build. */
export function writeServer({ root, outDir, serverEntry }: ResolvedBuildConfig): string {
  const internal = fileURLToPath(new URL("./internal.ts", import.meta.url));
  return HEADER + `import { fileURLToPath } from "node:url";
import { loadSnapshot, setBuildCache } from ${specifierFrom(outDir, internal)};
import * as snapshot from "./snapshot.js";
import { app } from ${specifierFrom(outDir, serverEntry)};

const root = fileURLToPath(new URL(${
    JSON.stringify(relative(outDir, root) + "/")
  }, import.meta.url));
setBuildCache(app, loadSnapshot(root, snapshot), "production");

export default { fetch: app.handler() };
`;
}

/** A relative import, as a JavaScript string. */
function specifierFrom(outDir: string, path: string): string {
  const relativePath = relative(outDir, path).split("/").map(encodeURIComponent).join("/");
  return JSON.stringify(relativePath.startsWith(".") ? relativePath : "./" + relativePath);
}
