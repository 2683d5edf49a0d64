/** Configuration of the build: its folders, and the browsers that islands must run in. */
export const buildOptions = {
  root: import.meta.dirname!,
  serverEntry: "main.ts",
  outDir: "_fresh",
  // The style sheet is generated. A file in static/ takes precedence over it.
  staticDir: ["static", "_generated/static"],
  islandDir: "islands",
  routeDir: "routes",
  target: "es2022",
};
