import { createHash } from "node:crypto";
import { basename, join, relative } from "node:path";
import { createGenerator, type UserConfig } from "@unocss/core";
import { presetWind3, type Theme } from "@unocss/preset-wind3";
import { themeColors, themeCss } from "../components/ui/theme.ts";
import { neededNames } from "./style_names.ts";

/** Folders with files that may name classes. */
const SCANNED = ["components", "islands", "routes"];

/** Folders with the sheets of parts that all pages have or may get. */
const OF_ALL = /^(ui|shell|page)(\/|$)/;

/**
 * Smaller sheets of an area are in the sheet of all pages. A request costs the pages of the area
 * more than such a size costs the others.
 */
const AREA_BYTES_MIN = 1_000;

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
 * Writes to `_generated/`: `static/styles.css` with the theme, the sheets of all pages and the
 * utility classes; `static/styles/` with a sheet for each larger area, which is a folder of
 * components; and `sheets.json` with sets of names for each of these. A page needs the sheet if it
 * has all names of a set. Does nothing when no input has changed. Returns whether it has written.
 */
export async function buildStyles(root: string): Promise<boolean> {
  const out = join(root, "_generated");
  const sources = await readSources(root);
  const sheets = await readSheets(root);
  const hash = hashOf([
    ...sources,
    ...[...sheets].flat(),
    themeCss,
    JSON.stringify(config.theme),
    String(config.blocklist),
    ...await ownTexts(),
  ]);
  const stamp = `/*${hash}*/\n`;
  if (await startsWith(join(out, "static/styles.css"), stamp)) return false;
  const generator = await createGenerator(config);
  const { css: utilities } = await generator.generate(sources.join("\n"), { preflights: true });
  const { shared, areas } = await split(sheets);
  const [common] = await minify([`${themeCss}\n${shared}\n${utilities}`]);
  const names = namesOf(areas);
  await Deno.remove(out, { recursive: true }).catch(() => {});
  await Deno.mkdir(join(out, "static/styles"), { recursive: true });
  for (const [area, css] of areas) {
    await Deno.writeTextFile(join(out, "static/styles", `${area}.css`), css);
  }
  await Deno.writeTextFile(join(out, "sheets.json"), JSON.stringify(names));
  // Written last, so that an interrupted build is done again.
  await Deno.writeTextFile(join(out, "static/styles.css"), stamp + common);
  return true;
}

/** The order of the sheets: elements, then the parts of all pages, then the parts of areas. */
const ORDER = [/^ui\/base\.css$/, /^ui\//, OF_ALL, /./];
/** Sheets of `ui/` follow each other by name, whatever their room. */
const keyOf = (path: string) => path.replace(/^ui\/\w+\//, "ui/");

/** Reads the sheets of all components, by their paths, in the order in which they apply. */
async function readSheets(root: string): Promise<Map<string, string>> {
  const folder = join(root, "components");
  const paths = (await collect(folder, /\.css$/)).map((path) => relative(folder, path));
  const placeOf = (path: string) => ORDER.findIndex((place) => place.test(path));
  const ordered = paths.toSorted((a, b) => keyOf(a) < keyOf(b) ? -1 : 1)
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  const texts = await readTexts(ordered.map((path) => join(folder, path)));
  return new Map(ordered.map((path, n) => [path, texts[n]]));
}

/**
 * Returns the area of a sheet, or "" for all pages. Sheets apply in the order of their names, and
 * an underscore is before letters: lists come before the areas that are built from them.
 */
function areaOf(path: string): string {
  if (path.startsWith("ui/lists/")) return "_lists";
  return OF_ALL.test(path) ? "" : path.split("/")[0];
}

/** Divides sheets into those of all pages and those of larger areas, which it minifies. */
async function split(sheets: Map<string, string>) {
  const texts = [...Map.groupBy(sheets, ([path]) => areaOf(path))]
    .map(([area, parts]) => ({ area, css: parts.map(([, css]) => css).join("\n") }));
  const small = await minify(texts.map(({ css }) => css));
  const isArea = (n: number) => texts[n].area !== "" && small[n].length >= AREA_BYTES_MIN;
  return {
    shared: texts.filter((_, n) => !isArea(n)).map(({ css }) => css).join("\n"),
    areas: new Map(texts.flatMap(({ area }, n) => isArea(n) ? [[area, small[n]]] : [])),
  };
}

/** Returns the smallest sets of names that rules of each area need, in the order of the areas. */
function namesOf(areas: Map<string, string>): Record<string, string[]> {
  const setsOf = (area: string, css: string) => {
    const sets = neededNames(css).map(({ rule, names }) => {
      if (names.length > 0) return new Set(names);
      throw new Error(`components/${area}: "${rule}" needs a class, or belongs to components/ui.`);
    });
    const isLeast = (set: Set<string>) =>
      !sets.some((one) => one.size < set.size && one.isSubsetOf(set));
    return new Set(sets.filter(isLeast).map((set) => [...set].join(" ")));
  };
  const ordered = [...areas].toSorted(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(ordered.map(([area, css]) => [area, [...setsOf(area, css)]]));
}

/** A change to these files changes the styles. */
const ownTexts = () =>
  readTexts(["build_styles.ts", "style_names.ts"].map((name) => join(import.meta.dirname!, name)));

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
    else if (wanted.test(basename(path))) files.push(path);
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

async function minify(sheets: string[]): Promise<string[]> {
  // Loaded only when the sheets are made again. Most starts do not need it.
  const esbuild = await import("esbuild");
  try {
    const made = sheets.map((css) => esbuild.transform(css, { loader: "css", minify: true }));
    return (await Promise.all(made)).map(({ code }) => code);
  } finally {
    await esbuild.stop();
  }
}

if (import.meta.main) await buildStyles(join(import.meta.dirname!, ".."));
