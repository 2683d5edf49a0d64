/** Options of a command whose output goes to the terminal. */
interface CommandOptions {
  env?: Record<string, string>;
  limitMs?: number;
}

/**
 * Runs a command and shows its output. Returns false when it failed, took too long or is missing.
 */
export async function succeeds(
  command: string[],
  { env = {}, limitMs = 10 * 60_000 }: CommandOptions = {},
): Promise<boolean> {
  const { success } = await spawn(command, "inherit", env, limitMs).output();
  return success;
}

/** Returns the trimmed output of a command, or null when it failed, took too long or is missing. */
export async function printed(command: string[]): Promise<string | null> {
  const { success, stdout } = await spawn(command, "null", {}, 30_000, "piped").output();
  return success ? new TextDecoder().decode(stdout).trim() : null;
}

/** Uses sh, whose exit code reveals a missing command, and which is the only program to permit. */
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
