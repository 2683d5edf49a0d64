import { ConfigError } from "../lib/base/settings.ts";
import { askSecret } from "./ask_secret.ts";

/** The new password: asked for twice at a terminal, else the input's first line. */
export async function newPassword(): Promise<string> {
  if (!Deno.stdin.isTerminal()) {
    return (await new Response(Deno.stdin.readable).text()).split(/\r?\n/)[0];
  }
  const password = await askSecret("New password: ");
  if (await askSecret("Again: ") !== password) throw new ConfigError("The two passwords differ.");
  return password;
}
