import type { App } from "./app.ts";
import { type BuildConfig, make, writeBuild } from "./build.ts";
import { loadBuild } from "./build_cache.ts";
import { ALIVE_PATH } from "./runtime.ts";

/** Bundles islands, and gives an app its routes, islands and static files. */
// deno-lint-ignore no-explicit-any
export class Builder<State = any> {
  constructor(readonly config: BuildConfig) {}

  /**
   * Builds into the output folder or into memory. The returned function hands an in-memory build to
   * an app.
   */
  async build(
    { mode = "production", snapshot = "disk" }: {
      mode?: "development" | "production";
      snapshot?: "disk" | "memory";
    } = {},
  ): Promise<(app: App<State>) => void> {
    const made = await make(this.config, mode === "development");
    if (snapshot === "disk") {
      await writeBuild(this.config, made);
      return () => {};
    }
    const cache = await loadBuild(this.config.root, made.manifest, { bundles: made.bundles });
    return (app) => {
      app.config.mode = mode;
      app.buildCache = cache;
    };
  }

  /** Serves an app for development: it is built in memory, and pages reload after each change. */
  async listen(
    importApp: () => Promise<{ app: App<State> }>,
    options: Deno.ServeTcpOptions = {},
  ): Promise<void> {
    const { app } = await importApp();
    (await this.build({ mode: "development", snapshot: "memory" }))(app);
    const handler = app.handler();
    const revision = crypto.randomUUID();
    Deno.serve(options, (req, info) => {
      if (new URL(req.url).pathname !== ALIVE_PATH) return handler(req, info);
      const { socket, response } = Deno.upgradeWebSocket(req);
      socket.onopen = () => socket.send(revision);
      return response;
    });
  }
}
