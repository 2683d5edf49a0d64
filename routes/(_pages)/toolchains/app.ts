import { App } from "fresh";
import type { State } from "@/lib/web/state.ts";

const build = () => import("./build.tsx");

/** The last build of a toolchain: of a project, or of the server. */
export const toolchainBuild = new App<State>()
  .route("/", async () => (await build()).buildPage)
  .route("/events", async () => (await build()).buildEvents);
