import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { ConfigError } from "../lib/base/settings/settings.ts";
import { writeChecksums } from "./package/checksums.ts";
import { ARCHITECTURES } from "./package/deno_binary.ts";
import { writePackages } from "./package/packages.ts";
import { runScript } from "../scripts/run_script.ts";

const USAGE = "Usage: deno task package [--arch=x64|arm64] [--out=dist] [--without-ansible]";

/** Writes the archives, packages and their checksums. */
async function main(args: string[]): Promise<void> {
  const { arch, out, "without-ansible": withoutAnsible } = parseArgs({
    args,
    options: {
      arch: { type: "string" },
      out: { type: "string", default: "dist" },
      "without-ansible": { type: "boolean", default: false },
    },
  }).values;
  const architectures = ARCHITECTURES.filter((name) => !arch || name === arch);
  if (architectures.length === 0) throw new ConfigError(USAGE);
  const folder = resolve(Deno.env.get("INIT_CWD") ?? ".", out);
  await writePackages({ architectures, folder, withoutAnsible });
  await writeChecksums(folder);
}

if (import.meta.main) await runScript(() => main(Deno.args));
