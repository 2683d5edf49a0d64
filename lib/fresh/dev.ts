import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { App, type ListenOptions, setBuildCache } from "./app.ts";
import type { BuildCache } from "./build_cache.ts";
import { diskBuild } from "./disk_build.ts";
import { memoryBuild } from "./memory_build.ts";

export interface BuildOptions {
  /** Browsers that the bundles are made for, in esbuild's words. */
  target?: string | string[];
  root?: string;
  outDir?: string;
  staticDir?: string | string[];
  islandDir?: string;
  routeDir?: string;
  /** The module that exports `app`. */
  serverEntry?: string;
  /** Files that are neither routes nor islands. */
  ignore?: RegExp[];
}

export type ResolvedBuildConfig = Required<BuildOptions> & {
  staticDir: string[];
  mode: "development" | "production";
};

const TEST_FILE = /[._]test\.(?:[tj]sx?|[mc][tj]s)$/;
const ALIVE_PATH = "/_frsh/alive";

/** Bundles islands, and tells an app its routes, islands and static files. */
// deno-lint-ignore no-explicit-any
export class Builder<State = any> {
  config: ResolvedBuildConfig;

  constructor(options: BuildOptions = {}) {
    const root = toPath(options.root ?? ".", Deno.cwd());
    const { staticDir = "static" } = options;
    this.config = {
      root,
      target: options.target ?? ["chrome99", "firefox99", "safari15"],
      outDir: toPath(options.outDir ?? "_fresh", root),
      staticDir: [staticDir].flat().map((dir) => toPath(dir, root)),
      islandDir: toPath(options.islandDir ?? "islands", root),
      routeDir: toPath(options.routeDir ?? "routes", root),
      serverEntry: toPath(options.serverEntry ?? "main.ts", root),
      ignore: options.ignore ?? [TEST_FILE],
      mode: "production",
    };
  }

  /** Builds into the out folder, or into memory; the function gives the build to an app. */
  async build(
    options: { mode?: ResolvedBuildConfig["mode"]; snapshot?: "disk" | "memory" } = {},
  ): Promise<(app: App<State>) => void> {
    this.config.mode = options.mode ?? "production";
    const cache = options.snapshot === "memory"
      ? await memoryBuild(this.config)
      : await diskBuild(this.config);
    return (app) => setBuildCache(app, cache, app.config.mode);
  }

  /** Serves an app for development: built in memory, and pages reload after a change. */
  async listen(
    importApp: () => Promise<{ app: App<State> } | App<State>>,
    options: ListenOptions = {},
  ): Promise<void> {
    this.config.mode = "development";
    const imported = await importApp();
    const app = imported instanceof App ? imported : imported.app;
    const cache = await memoryBuild(this.config);
    setBuildCache(app, cache, "development");
    await developmentApp(app, cache).listen(options);
  }
}

function developmentApp<State>(app: App<State>, cache: BuildCache): App<State> {
  const revision = crypto.randomUUID();
  const handler = app.handler();
  const outer = new App<State>({ mode: "development" })
    .ws(ALIVE_PATH, { open: (socket) => socket.send(revision) })
    .all("*", (ctx) => handler(ctx.req, ctx.info));
  setBuildCache(outer, cache, "development");
  return outer;
}

function toPath(path: string, root: string): string {
  if (path.startsWith("file:")) return fileURLToPath(path);
  return isAbsolute(path) ? path : join(root, path);
}
