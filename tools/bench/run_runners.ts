import { waitForStop } from "../../scripts/wait_for_stop.ts";
import { startRunners } from "./runner_programs.ts";

/** Runs the programs of many runners in one process, until it gets a signal to end. */
const { servers, runners, home } = JSON.parse(await Deno.readTextFile(Deno.args[0]));
const end = startRunners(servers, runners, home);
await waitForStop();
await end();
Deno.exit(0);
