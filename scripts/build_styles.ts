import { createHash } from "node:crypto";
import { join } from "node:path";
import { createGenerator, type UserConfig } from "@unocss/core";
import { presetWind3, type Theme } from "@unocss/preset-wind3";
import { themeColors, themeCss } from "../components/ui/theme.ts";

/** Folders with files that may name classes. */
const SCANNED = ["components", "islands", "routes"];

const config: UserConfig<Theme> = {
  presets: [presetWind3({ preflight: "on-demand", dark: "media" })],
  theme: {
    colors: { ...themeColors, transparent: "transparent", current: "currentColor" },
    breakpoints: { sm: "600px", lg: "960px", xl: "1280px" },
  },
  // Words in the code that happen to be classes too.
  blocklist: [
    "blur border container contents filter lowercase outline resize ring shadow static table"
      .split(" "),
    "transform transition underline uppercase visible".split(" "),
  ].flat(),
};

/**
 * Writes `_generated/styles.css`: the theme, the sheets, and the classes that the pages use. Does
 * nothing when no input has changed. Returns whether it wrote the file.
 */
export async function buildStyles(root: string): Promise<boolean> {
  const out = join(root, "_generated", "styles.css");
  const sources = await readSources(root);
  const sheets = await readSheets(root);
  const hash = hashOf([
    ...sources,
    sheets,
    themeCss,
    JSON.stringify(config.theme),
    String(config.blocklist),
    await ownText(),
  ]);
  const stamp = `/*${hash}*/\n`;
  if (await startsWith(out, stamp)) return false;
  const generator = await createGenerator(config);
  const { css } = await generator.generate(sources.join("\n"), { preflights: true });
  const sheet = await minify(`${themeCss}\n${sheets}\n${css}`);
  await Deno.mkdir(join(root, "_generated"), { recursive: true });
  await Deno.writeTextFile(out, stamp + sheet);
  return true;
}

/**
 * The order of the sheets: elements, then the parts of all pages, then the parts built from them.
 */
const ORDER = [/\/ui\/base\.css$/, /\/ui\//, /./];
/** Sheets of `ui/` follow each other by name, whatever their room. */
const keyOf = (path: string) => path.replace(/(?<=\/ui\/)\w+\//, "");

async function readSheets(root: string): Promise<string> {
  const sheets = await collect(join(root, "components"), /\.css$/);
  const placeOf = (path: string) => ORDER.findIndex((place) => place.test(path));
  const ordered = sheets.toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : 1)
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  return (await readTexts(ordered)).join("\n");
}

/** A change to this file changes the styles. */
const ownText = () => Deno.readTextFile(new URL(import.meta.url));

async function readSources(root: string): Promise<string[]> {
  const folders = SCANNED.map((folder) => collect(join(root, folder), /\.tsx?$/));
  const files = (await Promise.all(folders)).flat().filter(isScanned);
  return await readTexts(files.toSorted());
}

const isScanned = (path: string) => !/_test\.tsx?$|icons(_of_heads)?\.ts$/.test(path);

const readTexts = (paths: string[]) => Promise.all(paths.map((path) => Deno.readTextFile(path)));

async function collect(folder: string, wanted: RegExp, files: string[] = []): Promise<string[]> {
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) await collect(path, wanted, files);
    else if (wanted.test(entry.name)) files.push(path);
  }
  return files;
}

const hashOf = (texts: string[]) =>
  texts.reduce((hash, text) => hash.update(text).update("\0"), createHash("sha256")).digest("hex");

async function startsWith(path: string, text: string): Promise<boolean> {
  try {
    return (await Deno.readTextFile(path)).startsWith(text);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function minify(css: string): Promise<string> {
  // Loaded only when the sheet is made again. Most starts do not need it.
  const esbuild = await import("esbuild");
  try {
    return (await esbuild.transform(css, { loader: "css", minify: true })).code;
  } finally {
    await esbuild.stop();
  }
}

if (import.meta.main) await buildStyles(join(import.meta.dirname!, ".."));
