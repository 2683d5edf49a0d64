import { Builder } from "fresh/dev";
import { buildOptions } from "../fresh.config.ts";
import { buildStyles } from "./build_styles.ts";
import { readConfig } from "../lib/config.ts";

const { host, port } = readConfig(Deno.env, "");
await buildStyles(buildOptions.root);
await new Builder(buildOptions).listen(() => import("../main.ts"), { hostname: host, port });
