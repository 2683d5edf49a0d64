import { Builder } from "fresh/dev";
import { buildOptions } from "../fresh.config.ts";
import { buildStyles } from "./build_styles.ts";
import { readConfig } from "../lib/config.ts";
import { say } from "./console.ts";

const { host, port } = readConfig(Deno.env, "");
await buildStyles(buildOptions.root);
const { server: { firstAdmin } } = await import("../main.ts");
if (firstAdmin?.password) {
  say(`The first administrator is "${firstAdmin.username}", password: ${firstAdmin.password}`);
}
await new Builder(buildOptions).listen(() => import("../main.ts"), { hostname: host, port });
