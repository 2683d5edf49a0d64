import { App } from "fresh";
import type { State } from "@/lib/web/state.ts";

const pages = () => import("./pages.tsx");
const tokens = () => import("./tokens.tsx");

/** Runners: those of a project, or those of the server. */
export const runners = new App<State>()
  .route("/", async () => (await pages()).listPage)
  .route("/events", async () => (await pages()).runnerEvents)
  .route("/new", async () => (await pages()).newRunnerPage)
  .route("/tokens", async () => (await tokens()).tokensPage)
  .route("/tokens/delete", async () => (await tokens()).deleteToken)
  .route("/:runnerId", async () => (await pages()).runnerPage)
  .route("/:runnerId/connection", async () => (await pages()).runnerConnection)
  .route("/:runnerId/edit", async () => (await pages()).editRunnerPage)
  .route("/:runnerId/state", async () => (await pages()).changeState)
  .route("/:runnerId/token", async () => (await pages()).registrationPage)
  .route("/:runnerId/revoke", async () => (await pages()).revokeRunnerPage)
  .route("/:runnerId/delete", async () => (await pages()).deleteRunnerPage);
