import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Variables } from "../../process/variables.ts";
import { runError } from "../../run/context.ts";
import type { GalaxyServer, PackageSources } from "../../run/package_sources.ts";
import type { ToolchainPlan } from "../plan.ts";
import { readCollection } from "./toolchain_lines.ts";
import { type Building, printed, step } from "./toolchain_steps.ts";

const CHOOSE = fileURLToPath(new URL("./choose_collections.py", import.meta.url));

/** Returns the Galaxy server of a toolchain's collections; null for the public one, or for none. */
export const galaxyServerOf = (
  packages: PackageSources,
  { collections, galaxy }: ToolchainPlan,
): GalaxyServer | null => collections.length > 0 ? galaxy ?? packages.galaxy : null;

/** Installs collections where Ansible finds those of Python packages, after a checkout's own. */
export async function installCollections(building: Building, fresh: string): Promise<void> {
  const { context: { directory, env: { packages } }, toolchain } = building;
  const collections = toolchain.collections.map(readCollection);
  const signed = collections.filter(({ signatures }) => signatures);
  const { keyring, collections: folder } = packages;
  if (!keyring && signed.length > 0) {
    throw runError("errors.run.toolchain_keyring", { name: toolchain.name });
  }
  const own = join(fresh, "bin", "python");
  const site = (await printed(building, [
    own,
    "-c",
    "import sysconfig; print(sysconfig.get_path('purelib'))",
  ])).trim();
  const galaxy = async (what: string, content: string, options: string[]) => [
    ...[join(fresh, "bin", "ansible-galaxy"), "collection", what, ...options],
    ...["--collections-path", site],
    ...["--requirements-file", await directory.write(`${what}.yml`, content)],
  ];
  const verified = keyring ? ["--keyring", keyring] : [];
  const wanted = JSON.stringify({ collections });
  if (!folder) {
    const { env, options } = networkOf(building);
    const command = await galaxy("install", wanted, [...verified, ...options]);
    return await step({ ...building, env }, command);
  }
  const file = await directory.write("collections.json", wanted);
  const archives = await printed(building, [own, CHOOSE, folder, file]);
  await step(building, await galaxy("install", archives, ["--offline"]));
  if (signed.length === 0) return;
  // The installation of archives takes no signatures.
  const proofs = JSON.stringify({ collections: signed });
  await step(building, await galaxy("verify", proofs, [...verified, "--offline"]));
}

/** How ansible-galaxy reaches collections. No other command gets the token. */
function networkOf({ context: { env: { packages } }, toolchain, env }: Building) {
  const server = galaxyServerOf(packages, toolchain);
  // A folder of wheels stands for having no network.
  if (!server) return { env, options: typeof packages.wheels === "string" ? ["--offline"] : [] };
  const { url, token } = server;
  const variables: Variables = {
    ...env,
    ANSIBLE_GALAXY_SERVER_LIST: "callboard",
    ANSIBLE_GALAXY_SERVER_CALLBOARD_URL: url,
    ...token && { ANSIBLE_GALAXY_SERVER_CALLBOARD_TOKEN: token },
  };
  return { env: variables, options: [] };
}
