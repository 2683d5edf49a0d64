import { resolve } from "node:path";

/** What the bundler must be told of an import map, so that browser and server load the same. */
export function aliasesOf(imports: Record<string, string>, base: string): Record<string, string> {
  const aliases: Record<string, string> = {};
  for (const [specifier, target] of Object.entries(imports)) {
    // An alias is one for what lies below it, too.
    const name = specifier.replace(/\/$/, "");
    const npm = /^npm:\/?((?:@[^/]+\/)?[^/@]+)(?:@[^/]*)?(\/.*)?$/.exec(target);
    const path = npm ? npm[1] + (npm[2] ?? "") : resolve(base, target);
    if (path !== name) aliases[name] = path;
  }
  return aliases;
}
