import { join } from "node:path";
import { ConfigError } from "../../lib/base/settings/settings.ts";
import { printed } from "../../scripts/command.ts";
import { ROOT } from "../package/application.ts";

/** Origin and changes of a release. */
interface Release {
  commit: string;
  /** The section of the changelog about the version, without its heading. */
  changes: string;
}

/**
 * Returns what a release of `version` consists of. Throws if files are not committed, if the
 * changelog or the chart is about another version, or if `folder` exists.
 */
export async function requireReady(version: string, folder: string): Promise<Release> {
  const commit = await printed(["git", "-C", ROOT, "rev-parse", "HEAD"]);
  const changed = await printed(["git", "-C", ROOT, "status", "--porcelain"]);
  if (!commit || changed === null) {
    throw new ConfigError("A release needs a working copy of git.");
  }
  if (changed) throw new ConfigError(`Commit these files before a release:\n${changed}`);
  const chart = await Deno.readTextFile(join(ROOT, "packaging/helm/callboard/Chart.yaml"));
  for (const field of ["version", "appVersion"]) {
    const [, stated] = chart.match(RegExp(`^${field}: "?([^"\n]+)"?$`, "m")) ?? [];
    if (stated === version) continue;
    throw new ConfigError(`Chart.yaml has the ${field} ${stated}, and deno.json ${version}.`);
  }
  if (await Deno.lstat(folder).then(() => true, () => false)) {
    throw new ConfigError(`${folder} exists. Move it, or name another folder with --out.`);
  }
  const changelog = await Deno.readTextFile(join(ROOT, "CHANGELOG.md"));
  return { commit, changes: changesOf(changelog, version) };
}

/** Returns the latest section of a changelog. Throws if that is about another version. */
export function changesOf(changelog: string, version: string): string {
  const [, title, text] = changelog.match(/^## (.+)\n([\s\S]*?)(?=^## |(?![\s\S]))/m) ?? [];
  if (title === undefined) throw new ConfigError("CHANGELOG.md has no section.");
  if (title.split(" ")[0] !== version) {
    throw new ConfigError(
      `The latest section of CHANGELOG.md is "${title}". Give it the version ${version}, or ` +
        "deno.json, Chart.yaml and the changelog the next one.",
    );
  }
  return text!.trim();
}
