import { App } from "fresh";
import type { Noun } from "@/lib/base/nouns.ts";
import type { State } from "@/lib/web/state.ts";

const pages = () => import("./pages.tsx");

/** The pages that a resource has beside its form. Nothing refers to a Git credential. */
export function resource(noun: Noun): App<State> {
  const app = new App<State>().route("/delete", async () => (await pages()).deletePage(noun));
  if (noun === "git_credentials") return app;
  return app.route("/uses", async () => (await pages()).usesPage(noun));
}
