import { printed, succeeds } from "./command.ts";
import { say } from "./console.ts";

/**
 * Installs Debian packages. Returns false when that failed, or is not possible without root or
 * apt-get.
 */
export async function installDebianPackages(...packages: string[]): Promise<boolean> {
  if (Deno.uid() !== 0 || await printed(["apt-get", "--version"]) === null) return false;
  say(`Installing ${packages.join(", ")} from Debian's packages …`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  const install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", ...packages];
  return await succeeds(["apt-get", "update", "-qq"], { env }) && await succeeds(install, { env });
}
