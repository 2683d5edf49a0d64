import { fileURLToPath } from "node:url";

const BELOW = "lib/fresh/testdata";

/** Build configuration of the test app. Its root is the project's root, where the import map is. */
export const buildConfig = {
  root: fileURLToPath(new URL("../../..", import.meta.url)),
  serverEntry: `${BELOW}/main.ts`,
  outDir: `${BELOW}/_fresh`,
  staticDir: [`${BELOW}/static`],
  islandDir: `${BELOW}/islands`,
  routeDir: `${BELOW}/routes`,
  target: "es2022",
};
