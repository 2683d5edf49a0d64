import { inLimit } from "../../base/time/abort.ts";
import { ConfigError } from "../../base/settings/settings.ts";

/** Time for the service to answer. Deno itself waits forever. */
const ANSWER_MS = 30_000;

/** Opens the store of a KV Connect service. Throws ConfigError if that is not possible. */
export async function openService(address: string): Promise<Deno.Kv> {
  try {
    const late = () => new Error(`no answer within ${ANSWER_MS / 1000} seconds`);
    return await inLimit(Deno.openKv(address), ANSWER_MS, late);
  } catch (error) {
    const { origin, pathname } = new URL(address);
    const said = error instanceof Error ? error.message : String(error);
    throw new ConfigError(explain(`The KV Connect service at ${origin}${pathname}`, said), {
      cause: error,
    });
  }
}

/** Explains the messages of Deno's client, which are not typed. */
function explain(service: string, said: string): string {
  if (/^Missing DENO_KV_ACCESS_TOKEN/.test(said)) {
    return `${service} needs an access token. Set DENO_KV_ACCESS_TOKEN to it`;
  }
  const status = / responded with status (\d+[^:]*)/.exec(said)?.[1];
  if (status && /^40[13]/.test(status)) {
    return `${service} refused the access token (${status}). Check DENO_KV_ACCESS_TOKEN`;
  }
  const check = "Check whether it runs, and the address in CALLBOARD_KV";
  if (status) return `${service} answered ${status}. ${check}`;
  const why = said.split("client error (Connect): ").at(-1)!.replace(/ \(os error \d+\)$/, "");
  return `${service} cannot be reached: ${why}. ${check}`;
}
