import { ConfigError } from "../lib/base/settings.ts";
import { askSecret } from "./ask_secret.ts";

/**
 * Returns the new password. Asks for it twice at a terminal, otherwise reads the input's first
 * line.
 */
export async function newPassword(): Promise<string> {
  if (!Deno.stdin.isTerminal()) {
    return (await new Response(Deno.stdin.readable).text()).split(/\r?\n/)[0];
  }
  const password = await askSecret("New password: ");
  if (await askSecret("Again: ") !== password) throw new ConfigError("The two passwords differ.");
  return password;
}
