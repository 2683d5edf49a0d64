/** How a command ended that was run while its output went to the terminal. */
interface CommandOptions {
  env?: Record<string, string>;
  limitMs?: number;
}

/** Runs a command, its output shown. False when it failed, took too long or is not there. */
export async function succeeds(
  command: string[],
  { env = {}, limitMs = 10 * 60_000 }: CommandOptions = {},
): Promise<boolean> {
  const { success } = await spawn(command, "inherit", env, limitMs).output();
  return success;
}

/** What a command prints, trimmed; null when it failed, took too long or is not there. */
export async function printed(command: string[]): Promise<string | null> {
  const { success, stdout } = await spawn(command, "null", {}, 30_000, "piped").output();
  return success ? new TextDecoder().decode(stdout).trim() : null;
}

/** By way of sh, which tells a missing command by its exit code and is all that need be allowed. */
function spawn(
  [...command]: string[],
  stderr: "inherit" | "null",
  env: Record<string, string>,
  limitMs: number,
  stdout: "inherit" | "piped" = "inherit",
) {
  return new Deno.Command("sh", {
    args: ["-c", 'exec "$@"', "sh", ...command],
    stdin: "null",
    stdout,
    stderr,
    env,
    signal: AbortSignal.timeout(limitMs),
  });
}
