import { App } from "fresh";
import type { State } from "@/lib/web/state.ts";

const rules = () => import("./rules.tsx");
const targets = () => import("./targets.tsx");

/** Targets and rules of alerts: those of a project, or those of the server. */
export const alerts = new App<State>()
  .route("/", async () => (await targets()).alertsPage)
  .route("/rules/:ruleId", async () => (await rules()).rulePage)
  .route("/rules/:ruleId/delete", async () => (await rules()).deleteRulePage)
  .route("/targets/new", async () => (await targets()).newTargetPage)
  .route("/targets/:targetId", async () => (await targets()).targetPage)
  .route("/targets/:targetId/edit", async () => (await targets()).editTargetPage)
  .route("/targets/:targetId/resume", async () => (await targets()).resumeTarget)
  .route("/targets/:targetId/test", async () => (await targets()).testTargetPage)
  .route("/targets/:targetId/delete", async () => (await targets()).deleteTargetPage);
