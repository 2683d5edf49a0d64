import { unlessAborted } from "../../base/time/abort.ts";

interface ShellEnd {
  success: boolean;
  stdout: string;
  stderr: string;
}

/** Longer than any script takes, even the removal of a large working copy. */
const LIMIT_MS = 10 * 60_000;

/**
 * Runs a few lines of shell for the server where Deno alone cannot do it or may not. They must end
 * on their own. Commands that a run starts go through `supervise.ts` instead.
 */
export const shell = (script: string, ...args: string[]): Promise<ShellEnd> =>
  shellWithin(LIMIT_MS, script, ...args);

/** Like `shell`, with another time limit. Throws `TimeoutError` when it is exceeded. */
export async function shellWithin(
  limitMs: number,
  script: string,
  ...args: string[]
): Promise<ShellEnd> {
  const signal = AbortSignal.timeout(limitMs);
  const ended = new Deno.Command("sh", {
    args: ["-c", script, "sh", ...args],
    stdin: "null",
    // The server's own settings hold secrets, so none of them is passed on.
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "" },
    signal,
  }).output();
  // The limit ends only `sh`. A process that it started may hold its output open for ever.
  const { success, stdout, stderr } = await unlessAborted(ended, signal);
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { success, stdout: text(stdout), stderr: text(stderr) };
}
