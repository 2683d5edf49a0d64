import { App } from "fresh";
import type { State } from "@/lib/web/state.ts";

const pages = () => import("./rules.tsx");

/** The forms of an integration's matchers, or those of its extract values. */
export const rules = (list: "matchers" | "values"): App<State> =>
  new App<State>()
    .route("/:ruleId", async () => (await pages()).RULE_PAGES[list].form)
    .route("/:ruleId/delete", async () => (await pages()).RULE_PAGES[list].delete);
