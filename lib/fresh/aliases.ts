import { resolve } from "node:path";

/**
 * Converts an import map to the bundler's aliases, so that browser and server load the same
 * modules.
 */
export function aliasesOf(imports: Record<string, string>, base: string): Record<string, string> {
  const aliases: Record<string, string> = {};
  for (const [specifier, target] of Object.entries(imports)) {
    // An alias also applies to all paths below it.
    const name = specifier.replace(/\/$/, "");
    const npm = /^npm:\/?((?:@[^/]+\/)?[^/@]+)(?:@[^/]*)?(\/.*)?$/.exec(target);
    const path = npm ? npm[1] + (npm[2] ?? "") : resolve(base, target);
    if (path !== name) aliases[name] = path;
  }
  return aliases;
}
