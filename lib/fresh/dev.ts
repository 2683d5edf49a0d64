import { resolve } from "node:path";
import { App, setBuildCache } from "./app.ts";
import { buildToDisk, findSources, make } from "./build.ts";
import { loadBuild } from "./build_cache.ts";
import { upgrade } from "./web_socket.ts";

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
}

export type ResolvedBuildConfig = Required<BuildOptions> & {
  staticDir: string[];
  mode: "development" | "production";
};

const ALIVE_PATH = "/_frsh/alive";

/** Bundles islands, and tells an app its routes, islands and static files. */
// deno-lint-ignore no-explicit-any
export class Builder<State = any> {
  config: ResolvedBuildConfig;

  constructor(options: BuildOptions = {}) {
    const { root = ".", staticDir = "static" } = options;
    const toPath = (path: string) => resolve(root, path);
    this.config = {
      root: resolve(root),
      target: options.target ?? ["chrome99", "firefox99", "safari15"],
      outDir: toPath(options.outDir ?? "_fresh"),
      staticDir: [staticDir].flat().map(toPath),
      islandDir: toPath(options.islandDir ?? "islands"),
      routeDir: toPath(options.routeDir ?? "routes"),
      serverEntry: toPath(options.serverEntry ?? "main.ts"),
      mode: "production",
    };
  }

  /** Builds into the out folder, or into memory; the function gives the latter to an app. */
  async build(
    { mode = "production", snapshot = "disk" }: {
      mode?: ResolvedBuildConfig["mode"];
      snapshot?: "disk" | "memory";
    } = {},
  ): Promise<(app: App<State>) => void> {
    const config = { ...this.config, mode };
    if (snapshot === "disk") {
      await buildToDisk(config);
      return () => {};
    }
    const { manifest, bundles } = await make(config, await findSources(config));
    const cache = await loadBuild(config.root, manifest, bundles);
    return (app) => setBuildCache(app, cache, mode);
  }

  /** Serves an app for development: built in memory, and pages reload after a change. */
  async listen(
    importApp: () => Promise<{ app: App<State> } | App<State>>,
    options: Deno.ServeTcpOptions = {},
  ): Promise<void> {
    const imported = await importApp();
    const app = imported instanceof App ? imported : imported.app;
    (await this.build({ mode: "development", snapshot: "memory" }))(app);
    const handler = app.handler();
    const revision = crypto.randomUUID();
    Deno.serve(options, (req, info) => {
      if (new URL(req.url).pathname !== ALIVE_PATH) return handler(req, info);
      try {
        return upgrade(req, { open: (socket) => socket.send(revision) }) as Response;
      } catch {
        return new Response("Expected a WebSocket upgrade request", { status: 400 });
      }
    });
  }
}
