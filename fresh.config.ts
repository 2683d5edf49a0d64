/** What the build is told: where things are, and which browsers islands must run in. */
export const buildOptions = {
  root: import.meta.dirname!,
  serverEntry: "main.ts",
  outDir: "_fresh",
  // The style sheet is generated; a file put into static/ by hand wins over it.
  staticDir: ["static", "_generated"],
  islandDir: "islands",
  routeDir: "routes",
  target: "es2022",
};
