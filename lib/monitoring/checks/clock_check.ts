import { isShared } from "../../base/settings/config.ts";
import { sleep } from "../../base/time/pause.ts";
import { ask } from "./ask.ts";
import type { RunsCheckUp } from "./check_up.ts";
import { type Finding, fine, problem } from "./finding.ts";

/** Other servers are asked for their time, which HTTP gives in whole seconds. */
const SECONDS_FINE = 5;
/** ID tokens of providers are refused beyond this difference: SKEW_SECONDS in lib/oidc. */
const SECONDS_MAX = 60;
const WATCH_MS = 300;
const JUMP_MS_MAX = 100;

/** Compares the clock with that of the servers that are asked anyway, and with its own ticks. */
export async function checkClock(checkUp: RunsCheckUp): Promise<Finding[]> {
  const [jump, skews] = await Promise.all([
    jumpOf(checkUp),
    Promise.all(othersOf(checkUp).map((url) => skewOf(checkUp, url))),
  ]);
  const known = skews.filter((skew) => skew !== null).toSorted((a, b) => b.seconds - a.seconds);
  const [worst] = known;
  const wrong = worst && worst.seconds > SECONDS_FINE
    ? [problem(worst.seconds > SECONDS_MAX ? "failed" : "warning", "doctor.clock.off", worst)]
    : [];
  if (jump > JUMP_MS_MAX) wrong.push(problem("warning", "doctor.clock.jumps"));
  if (wrong.length > 0) return wrong;
  return [worst ? fine("doctor.clock.agrees", worst) : fine("doctor.clock.alone")];
}

function othersOf({ config, providers }: RunsCheckUp): string[] {
  const known = providers.map(({ settings }) => settings.provider_url);
  const all = [config.url?.href, isShared(config) ? config.kv : null, ...known];
  return [...new Set(all.filter((url) => url !== null && url !== undefined))].slice(0, 5);
}

/** Returns the difference to the clock of a server; null if it gives no time. */
async function skewOf({ clock }: RunsCheckUp, url: string) {
  const asked = clock.now().getTime();
  const answer = await ask(url).catch(() => null);
  const date = Date.parse(answer?.headers.get("date") ?? "");
  if (Number.isNaN(date)) return null;
  // The answer was sent at some time in between, and its date may be up to a second old.
  const [least, most] = [asked - 1_000, clock.now().getTime()];
  const off = date < least ? least - date : date > most ? date - most : 0;
  return { seconds: Math.round(off / 1_000), host: new URL(url).host };
}

/** Returns by how many milliseconds the clock moved differently from its ticks. */
async function jumpOf({ clock }: RunsCheckUp): Promise<number> {
  const [now, ticks] = [clock.now().getTime(), clock.ticks()];
  await sleep(WATCH_MS);
  return Math.abs(clock.now().getTime() - now - (clock.ticks() - ticks));
}
