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
  // A new machine may be updating itself.
  const apt = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300"];
  const install = [...apt, "install", "-y", "--no-install-recommends", ...packages];
  return await succeeds([...apt, "update"], { env }) && await succeeds(install, { env });
}

/** A file that a tool consists of, and the Debian package that contains it. */
export type Tool = [path: string, debianPackage: string];

/**
 * Installs missing tools. Reports those that cannot be installed: the tests that need them fail and
 * say so.
 */
export async function installTools(tools: Tool[]): Promise<void> {
  const missing: string[] = [];
  for (const [path, debianPackage] of tools) {
    if (await printed(["test", "-e", path]) === null) missing.push(debianPackage);
  }
  if (missing.length > 0 && !await installDebianPackages(...missing)) {
    say(`Some tests will fail, because these packages are missing: ${missing.join(", ")}.`);
  }
}
