import assert from "node:assert/strict";

/** Runs a command, and returns its standard output. Throws all of its output if it fails. */
export async function succeed(
  [program, ...args]: string[],
  options: Pick<Deno.CommandOptions, "cwd" | "env"> = {},
): Promise<string> {
  const command = new Deno.Command(program!, { args, stdin: "null", ...options });
  const { success, stdout, stderr } = await command.output();
  const [said, failed] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assert.ok(success, `${program} ${args.join(" ")}\n${said}${failed}`);
  return said!;
}
