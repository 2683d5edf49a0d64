interface ShellEnd {
  success: boolean;
  stdout: string;
  stderr: string;
}

/**
 * Runs a few lines of the server's own, which end by themselves, where Deno alone cannot do it or
 * may not. Whatever a run starts goes through `supervise.ts` instead.
 */
export async function shell(script: string, ...args: string[]): Promise<ShellEnd> {
  const { success, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", script, "sh", ...args],
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { success, stdout: text(stdout), stderr: text(stderr) };
}
