import { join } from "node:path";
import { askAnsible } from "./ansible_python.ts";

/** A collection of roles and playbooks that PyPI has, of 4 MB, which no play of ours resembles. */
const DEBOPS = "3.3.2";
const FOLDER = join(Deno.cwd(), "data", "published", `debops-${DEBOPS}`);
const INSTALL_LIMIT_SECONDS = 120;

/** Beside its place until it is whole: others may be about to do the same. */
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

/** A folder with the collection, fetched if it is not there; null where it cannot be had. */
export async function publishedCollections(): Promise<string | null> {
  const input = [`debops==${DEBOPS}`, FOLDER, INSTALL_LIMIT_SECONDS];
  const isThere = await askAnsible<boolean>(INSTALL, input);
  return isThere ? join(FOLDER, "debops", "_data", "ansible", "collections") : null;
}
