import { unlessAborted } from "../../base/abort.ts";

interface ShellEnd {
  success: boolean;
  stdout: string;
  stderr: string;
}

/** Longer than any of them takes, the removing of a large working copy too. */
const LIMIT_MS = 10 * 60_000;

/**
 * Runs a few lines of the server's own, which end by themselves, where Deno alone cannot do it or
 * may not. Whatever a run starts goes through `supervise.ts` instead.
 */
export const shell = (script: string, ...args: string[]): Promise<ShellEnd> =>
  shellWithin(LIMIT_MS, script, ...args);

/** The same with another time limit; throws `TimeoutError` when that is over. */
export async function shellWithin(
  limitMs: number,
  script: string,
  ...args: string[]
): Promise<ShellEnd> {
  const signal = AbortSignal.timeout(limitMs);
  const ended = new Deno.Command("sh", {
    args: ["-c", script, "sh", ...args],
    stdin: "null",
    // Nothing of the server's own settings, which hold secrets.
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "" },
    signal,
  }).output();
  // The limit ends `sh` alone: what that has started may hold its output for ever.
  const { success, stdout, stderr } = await unlessAborted(ended, signal);
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { success, stdout: text(stdout), stderr: text(stderr) };
}
