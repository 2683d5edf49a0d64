import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { loadSecretKey } from "../lib/access/secret_box.ts";
import { ConfigError, readConfig } from "../lib/config.ts";
import { backUpServer } from "../lib/server_backup/back_up.ts";
import { say } from "./console.ts";
import { readPassphrase } from "./passphrase.ts";

const USAGE = "deno task backup --to FILE";

/** Writes everything of this server to one encrypted file; the server may go on working. */
async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { to: { type: "string" } } });
  if (!values.to) throw new ConfigError(USAGE);
  // A task runs in the project's folder, wherever the person who called it stands.
  const to = resolve(Deno.env.get("INIT_CWD") ?? ".", values.to);
  const config = readConfig(Deno.env, "");
  const secretKey = await loadSecretKey(Deno.env.get("CALLBOARD_SECRET_KEY"), config.dataDir);
  const passphrase = await readPassphrase({ isNew: true });
  const bytes = await backUpServer({ config, secretKey, passphrase, to });
  say(`Wrote ${to}, ${bytes.toLocaleString("en")} bytes.`);
  say("Without the passphrase nobody can read it: keep that at another place.");
}

if (import.meta.main) {
  try {
    await main(Deno.args);
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    Deno.exit(1);
  }
}
