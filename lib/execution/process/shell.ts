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
export async function shell(script: string, ...args: string[]): Promise<ShellEnd> {
  const { success, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", script, "sh", ...args],
    stdin: "null",
    // Nothing of the server's own settings, which hold secrets.
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "" },
    signal: AbortSignal.timeout(LIMIT_MS),
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { success, stdout: text(stdout), stderr: text(stderr) };
}
