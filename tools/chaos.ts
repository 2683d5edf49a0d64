import { parseArgs } from "node:util";
import { chaos } from "../tests/support/kills/chaos.ts";
import { say } from "../scripts/console.ts";

/**
 * Runs plays while everything goes wrong at once: `deno task chaos [minutes] [--servers=2]`. More
 * than one server needs `denokv` on the PATH.
 */
const { positionals, values } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: { servers: { type: "string", default: "1" } },
});
const minutes = Number(positionals[0] ?? 20);
await chaos({ minutes, servers: Number(values.servers), report: say });
say(`${minutes} minutes: each task has one end, and no line or secret was lost.`);
