import { Builder } from "fresh/dev";
import { buildOptions } from "../fresh.config.ts";
import { buildStyles } from "./build_styles.ts";

/** Makes the style sheet, the islands' scripts and the list of routes. Quick when nothing changed. */
export async function build(): Promise<void> {
  // The style sheet first: the build lists static files.
  await buildStyles(buildOptions.root);
  await new Builder(buildOptions).build({ mode: "production", snapshot: "disk" });
}

if (import.meta.main) await build();
