import { parseArgs } from "node:util";
import { readConfig } from "../lib/base/settings/config.ts";
import { openDataFolder } from "../lib/base/machine/data_folder.ts";
import { operatorCommand } from "../lib/base/machine/operator_command.ts";
import { parseWith } from "../lib/base/parse.ts";
import { ConfigError } from "../lib/base/settings/settings.ts";
import { openStore } from "../lib/store/file/open_store.ts";
import type { Store } from "../lib/store/store.ts";
import { maintenanceForm } from "../lib/maintenance/mode/schema.ts";
import { endMaintenance, getMaintenance, setMaintenance } from "../lib/maintenance/mode/service.ts";
import { operatorScope } from "../lib/people/accounts/operator.ts";
import { momentOf, serverTimeZone } from "../lib/triggers/schedules/zone.ts";
import { say } from "./console.ts";
import { explain } from "./explain.ts";
import { checkSettings } from "./run_script.ts";

const COMMAND = operatorCommand("maintenance");
const USAGE =
  `Makes this server read only, and lets its running tasks finish. No task starts meanwhile.

  ${COMMAND} on [--message TEXT] [--begins TIME] [--ends TIME]
  ${COMMAND} off
  ${COMMAND} status

All pages show the message. Times are such as 2026-03-01T22:00, in the time zone of the server, or
with an offset. Maintenance begins now if no other time is given, and ends automatically at its end
if one is given. A running server follows within seconds. "status" exits with code 0 while no
maintenance is in force, 3 while tasks still run, and 4 once none runs any more.`;

/** Exit codes of "status", for scripts that wait. */
const CODES = { running: 3, drained: 4 };

interface Options {
  message?: string;
  begins?: string;
  ends?: string;
}

type ScriptScope = ReturnType<typeof scopeOf>;

const scopeOf = (kv: Store) => operatorScope({ kv, clock: { now: () => new Date(), ticks } });
const ticks = () => performance.now();

const COMMANDS: Record<string, (scope: ScriptScope, options: Options) => Promise<number>> = {
  async on(scope, { message, begins, ends }) {
    const form = { message, begins: momentIn(begins), ends: momentIn(ends) };
    await setMaintenance(scope, parseWith(maintenanceForm, form));
    return (await printState(scope), 0);
  },
  async off(scope) {
    await endMaintenance(scope);
    return (await printState(scope), 0);
  },
  status: printState,
};

/** Reads a time of the server's clock. One with an offset stays as it is. */
const momentIn = (time: string | undefined): string | undefined =>
  time && /^[\d-]+[T ][\d:.]+$/.test(time) ? momentOf(time, serverTimeZone()) ?? time : time;

async function printState(scope: ScriptScope): Promise<number> {
  const { state, message, begins, ends, running, drained } = await getMaintenance(scope);
  if (state === "off") return (say("The server is not in maintenance."), 0);
  say(state === "on" ? `In maintenance since ${begins}.` : `Maintenance is planned for ${begins}.`);
  if (ends) say(`It ends automatically at ${ends}.`);
  if (message) say(`Message: ${message}`);
  if (state === "planned") return 0;
  say(drained ? "No task runs any more." : `Tasks that still run: ${running}`);
  return drained ? CODES.drained : CODES.running;
}

async function main(args: string[]): Promise<number> {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { message: text, begins: text, ends: text },
  });
  const [name, ...more] = positionals;
  if (!Object.hasOwn(COMMANDS, name) || more.length > 0) throw new ConfigError(USAGE);
  const config = readConfig(Deno.env, "");
  await openDataFolder(config);
  using kv = await openStore(config.kv);
  return await COMMANDS[name](scopeOf(kv), values);
}

if (import.meta.main) {
  try {
    await checkSettings();
    Deno.exitCode = await main(Deno.args);
  } catch (error) {
    say(explain(error));
    Deno.exit(1);
  }
}
