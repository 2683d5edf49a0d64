import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import denoJson from "../deno.json" with { type: "json" };
import { ConfigError } from "../lib/base/settings/settings.ts";
import { say } from "../scripts/console.ts";
import { ROOT } from "./package/application.ts";
import { CHECKSUMS, writeChecksums } from "./package/checksums.ts";
import { ARCHITECTURES } from "./package/deno_binary.ts";
import { sourceTime, writePackages } from "./package/packages.ts";
import { writeChart } from "./release/chart.ts";
import { findEngine, runnableHere, writeImage } from "./release/image.ts";
import { releaseNotes } from "./release/notes.ts";
import { requireReady } from "./release/ready.ts";
import { requireKey, sign } from "./release/sign.ts";
import { writeSboms } from "./release/sboms.ts";
import { runScript } from "../scripts/run_script.ts";

const USAGE = "Usage: deno task release --key=FILE [--arch=x64|arm64] [--out=FOLDER]";

const { version } = denoJson;

/**
 * Writes all files of a release to one folder, with a signature of their checksums. The folder
 * appears when it is complete. Nothing is published.
 */
async function main(args: string[]): Promise<void> {
  const { key, arch, out } = parseArgs({
    args,
    options: {
      key: { type: "string" },
      arch: { type: "string" },
      out: { type: "string", default: join("dist", `release-${version}`) },
    },
  }).values;
  const architectures = ARCHITECTURES.filter((name) => !arch || name === arch);
  if (!key || architectures.length === 0) throw new ConfigError(USAGE);
  const from = Deno.env.get("INIT_CWD") ?? ".";
  const folder = resolve(from, out);
  const { commit, changes } = await requireReady(version, folder);
  const signer = await requireKey(resolve(from, key));
  const engine = await findEngine();
  await Deno.mkdir(dirname(folder), { recursive: true });
  const stage = await Deno.makeTempDir({ dir: dirname(folder), prefix: ".release_" });
  try {
    await writePackages({ architectures, folder: stage });
    await writeSboms(stage, architectures);
    await writeChart(stage, version, await sourceTime());
    for (const architecture of architectures) {
      if (await runnableHere(architecture)) await writeImage(engine, architecture, version, stage);
      else say(`This machine cannot run ${architecture}, so there is no image for it.`);
    }
    const notes = join(stage, "notes.md");
    await Deno.writeTextFile(
      notes,
      await releaseNotes({ version, commit, changes, folder: stage }),
    );
    await writeChecksums(stage);
    await sign(join(stage, CHECKSUMS), signer);
    await Deno.chmod(stage, 0o755);
    await Deno.rename(stage, folder);
  } catch (error) {
    await Deno.remove(stage, { recursive: true });
    throw error;
  }
  say(`The release is in ${folder}. To publish it, tag the commit and upload the files:`);
  say(
    `  git -C ${ROOT} tag --sign v${version} ${commit} && git -C ${ROOT} push origin v${version}`,
  );
  say(`  gh release create v${version} --notes-file ${folder}/notes.md ${folder}/*`);
}

if (import.meta.main) await runScript(() => main(Deno.args));
