import { type Import, readModule, type Sources } from "./sources.ts";

type RunTimeImports = Map<string, Import[]>;

/** Returns the imports at run time, by file. Tests may import anything. */
export function runTimeImports(sources: Sources): RunTimeImports {
  const found: RunTimeImports = new Map();
  for (const [file, text] of sources) {
    if (/_test\.tsx?$/.test(file)) continue;
    found.set(file, readModule(file, text).imports.filter(({ isType }) => !isType));
  }
  return found;
}

/**
 * Returns the files that only compute. They import, at every depth, only such files and zod, and
 * use neither Deno nor Node. They are safe in browsers and in every layer.
 */
export function findPure(sources: Sources, imports: RunTimeImports): Set<string> {
  const pure = new Set<string>();
  for (const [file, text] of sources) {
    if (/^lib\/.*\.ts$/.test(file) && !/\bDeno\./.test(text)) pure.add(file);
  }
  let before: number;
  do {
    before = pure.size;
    for (const [file, its] of imports) {
      const isPure = its.every(({ specifier, to }) => specifier === "zod" || pure.has(to));
      if (!isPure) pure.delete(file);
    }
  } while (pure.size < before);
  return pure;
}
