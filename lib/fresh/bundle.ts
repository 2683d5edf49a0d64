import { createHash } from "node:crypto";
import { basename, join, relative } from "node:path";
import type { Metafile, Plugin } from "esbuild";
import { aliasesOf } from "./aliases.ts";

/**
 * Maximum size of an island in the file that all pages load. A request costs the pages with the
 * island more than such a size costs the others.
 */
const SMALL_BYTES = 4_000;
/** Largest part that is joined although only modules that are imported later share it. */
const TINY_BYTES = 1_000;

interface BundleOptions {
  root: string;
  /** Browsers that the scripts must support, in esbuild's notation. */
  target: string;
  /** Path of the script that hydrates islands. */
  client: string;
  /** Paths of the islands. */
  islands: string[];
  buildId: string;
  isDevelopment: boolean;
}

/** Scripts for browsers. */
interface Scripts {
  /** Contents by file name. */
  files: Map<string, Uint8Array<ArrayBuffer>>;
  /** Name of the file with the script that hydrates islands. */
  client: string;
  /** The file of each island, and what its exports are prefixed with there. */
  islands: { path: string; name: string; prefix: string }[];
}

/**
 * Bundles islands. All pages load one file, which has small islands and the code that islands
 * share. Large islands, modules that are imported later, and what only these share have files of
 * their own, except for a few lines, which would cost more as a request. esbuild alone would make a
 * file for each set of islands that share code.
 */
export async function bundle(options: BundleOptions): Promise<Scripts> {
  const { root, target, client, islands, buildId, isDevelopment } = options;
  // Loaded only for a build, because a start without a build does not need it.
  const esbuild = await import("esbuild");
  const { imports } = JSON.parse(await Deno.readTextFile(join(root, "deno.json")));
  const common = {
    absWorkingDir: root,
    outdir: ".",
    write: false,
    bundle: true,
    format: "esm",
    target,
    minify: !isDevelopment,
    logLevel: "silent",
  } as const;
  try {
    const { outputFiles: parts, metafile } = await esbuild.build({
      ...common,
      entryPoints: [client, ...islands],
      entryNames: "[name]-[hash]",
      chunkNames: "[name]-[hash]",
      splitting: true,
      metafile: true,
      sourcemap: isDevelopment && "inline",
      jsx: "automatic",
      jsxImportSource: "preact",
      alias: aliasesOf(imports, root),
      plugins: [narrowReact(root)],
      define: {
        FRESH_BUILD_ID: JSON.stringify(buildId),
        "process.env.NODE_ENV": isDevelopment ? '"development"' : '"production"',
      },
    });
    const texts = new Map(parts.map(({ path, text }) => [basename(path), text]));
    const plan = planFiles(metafile.outputs, options);
    const { outputFiles } = await esbuild.build({
      ...common,
      entryPoints: plan.entryPoints,
      sourcemap: isDevelopment && "linked",
      plugins: [joinParts(metafile.outputs, texts, plan)],
    });
    const islandOf = (path: string) => {
      const part = partOf(metafile.outputs, path);
      return { path, name: plan.fileOf(part), prefix: plan.prefixOf(part) };
    };
    return {
      files: new Map(
        outputFiles.map(({ path, contents }) => [
          basename(path),
          contents as Uint8Array<ArrayBuffer>,
        ]),
      ),
      client: plan.fileOf(partOf(metafile.outputs, client)),
      islands: islands.map(islandOf),
    };
  } finally {
    await esbuild.stop();
  }
}

const REACT = "react";

/**
 * Gives packages only those members of React that their code names. downshift copies all of React
 * to read one member of it, so that every page would load all of preact/compat.
 */
function narrowReact(root: string): Plugin {
  return {
    name: "narrow-react",
    setup(build) {
      build.onResolve(
        { filter: /^react$/ },
        ({ importer, namespace }) =>
          namespace === "file" && /[\\/]node_modules[\\/]/.test(importer)
            ? { path: relative(root, importer), namespace: REACT, sideEffects: false }
            : undefined,
      );
      build.onLoad({ filter: /./, namespace: REACT }, async ({ path }) => {
        const text = await Deno.readTextFile(join(root, path));
        const named = new Set(text.match(/\w+/g));
        if (!/\bimport React\b/.test(text)) named.delete("default");
        const members = Object.keys(await import("react")).filter((name) => named.has(name));
        const contents = `export {${members}} from "${REACT}";`;
        return { contents, resolveDir: root };
      });
    },
  };
}

/** Files that esbuild has made of the sources, by their names. */
type Parts = Metafile["outputs"];

const partOf = (parts: Parts, entryPoint: string): string =>
  Object.keys(parts).find((name) => parts[name].entryPoint === entryPoint)!;

type Plan = ReturnType<typeof planFiles>;

/** Chooses the parts to join, and the names of all files. */
function planFiles(parts: Parts, { client, islands }: BundleOptions) {
  const own = partOf(parts, client);
  const isJoined = (name: string) => {
    const { entryPoint, bytes } = parts[name];
    return entryPoint === undefined || (islands.includes(entryPoint) && bytes <= SMALL_BYTES);
  };
  const first = neededBy(parts, [own, ...islands.map((path) => partOf(parts, path))]);
  const isTiny = (name: string) => {
    const { entryPoint, bytes, imports } = parts[name];
    return entryPoint === undefined && bytes <= TINY_BYTES &&
      imports.every(({ path, kind }) => kind !== "import-statement" || first.has(path));
  };
  const joined = [
    own,
    ...Object.keys(parts)
      .filter((name) => name !== own && (first.has(name) ? isJoined(name) : isTiny(name)))
      .toSorted(),
  ];
  const joinedFile = fileName("client", joined);
  // A file's name changes with the file that it imports.
  const fileOf = (name: string) =>
    joined.includes(name) ? joinedFile : fileName(name.split("-")[0], [name, joinedFile]);
  return {
    joined,
    joinedFile,
    fileOf,
    prefixOf: (name: string) =>
      name !== own && joined.includes(name) ? `_${joined.indexOf(name)}_` : "",
    entryPoints: [own, ...Object.keys(parts).filter((name) => !joined.includes(name))]
      .map((name) => ({ in: name, out: fileOf(name).replace(/\.js$/, "") })),
  };
}

/** Returns these parts and all that are loaded before they run. */
function neededBy(parts: Parts, names: string[]): Set<string> {
  const needed = new Set(names);
  for (const name of needed) {
    for (const { path, kind } of parts[name].imports) {
      if (kind === "import-statement") needed.add(path);
    }
  }
  return needed;
}

function fileName(name: string, content: string[]): string {
  const hash = createHash("sha256").update(content.join()).digest("hex").slice(0, 8);
  return `${name}-${hash}.js`;
}

/** Makes one file of the parts to join, which the others import. */
function joinParts(parts: Parts, texts: Map<string, string>, plan: Plan): Plugin {
  const { joined, joinedFile, fileOf, prefixOf } = plan;
  const exportsOf = (name: string, from: string, rename: (name: string) => string) =>
    `export {${parts[name].exports.map(rename).join()}} from ${JSON.stringify(from)};`;
  return {
    name: "join-parts",
    setup(build) {
      build.onResolve({ filter: /./ }, ({ path, kind, importer }) => {
        const name = basename(path);
        if (kind === "entry-point") {
          return { path, namespace: path === joined[0] ? "joined" : "part" };
        }
        if (!joined.includes(name)) {
          return { path: `./${name in parts ? fileOf(name) : name}`, external: true };
        }
        return { path: name, namespace: joined.includes(importer) ? "part" : "reference" };
      });
      build.onLoad({ filter: /./, namespace: "part" }, ({ path }) => ({
        contents: texts.get(path)!,
      }));
      build.onLoad({ filter: /./, namespace: "joined" }, () => ({
        contents: joined.map((name) =>
          exportsOf(name, `./${name}`, (one) => `${one} as ${prefixOf(name)}${one}`)
        ).join("\n"),
      }));
      build.onLoad({ filter: /./, namespace: "reference" }, ({ path }) => ({
        contents: exportsOf(
          path,
          `./${joinedFile}`,
          (one) => `${prefixOf(path)}${one} as ${one}`,
        ),
      }));
    },
  };
}
