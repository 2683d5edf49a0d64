import { Builder } from "fresh/dev";
import { buildOptions } from "../fresh.config.ts";
import { readConfig } from "../lib/base/settings/config.ts";
import { buildStyles } from "../scripts/build_styles.ts";
import { runScript } from "../scripts/run_script.ts";
import { printFirstAdmin } from "../scripts/console.ts";

await runScript(async () => {
  const { host, port } = readConfig(Deno.env, "");
  await buildStyles(buildOptions.root);
  const main = await import("../main.ts");
  printFirstAdmin(main.server.firstAdmin);
  await new Builder(buildOptions).listen(() => Promise.resolve(main), { hostname: host, port });
});
