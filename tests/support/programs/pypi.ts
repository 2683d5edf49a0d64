import { join } from "node:path";
import { askAnsible } from "./ansible_python.ts";

const INSTALL_LIMIT_SECONDS = 120;

/** Installs beside the final folder until it is complete, because other tests may do the same. */
const INSTALL = `
import json, os, shutil, subprocess, sys, tempfile
package, folder, limit = json.load(sys.stdin)
if not os.path.isdir(folder):
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    made = tempfile.mkdtemp(dir=os.path.dirname(folder))
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
           "--no-deps", "--no-compile", "--retries=1", "--target", made, package]
    try:
        subprocess.run(pip, check=True, timeout=limit, stdout=sys.stderr)
        os.rename(made, folder)
    except (subprocess.SubprocessError, OSError):
        shutil.rmtree(made, ignore_errors=True)
print(json.dumps(os.path.isdir(folder)))
`;

/**
 * Returns a folder with a package of PyPI, and fetches it if missing. Null if that is not possible.
 */
export async function fetchPackage(name: string, version: string): Promise<string | null> {
  const folder = join(Deno.cwd(), "data", "published", `${name}-${version}`);
  const input = [`${name}==${version}`, folder, INSTALL_LIMIT_SECONDS];
  return await askAnsible<boolean>(INSTALL, input) ? folder : null;
}

export const reachesPypi = (): Promise<boolean> =>
  fetch("https://pypi.org/simple/ansible-core/", { method: "HEAD" })
    .then(({ ok }) => ok, () => false);
