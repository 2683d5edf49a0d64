import { join } from "node:path";
import { fileURLToPath } from "node:url";
import denoJson from "@/deno.json" with { type: "json" };

/** `deno task test-packages` writes the packages there before it runs tests. */
export const DIST = fileURLToPath(new URL("../../../data/dist", import.meta.url));

const { version } = denoJson;

/** Returns the paths of the packages for this machine. */
export async function packagedFiles() {
  const files = {
    archive: join(DIST, `callboard-${version}-linux-x64.tar.gz`),
    wheels: join(DIST, `callboard-ansible-${version}-x64.tar.gz`),
    deb: join(DIST, `callboard_${version}_amd64.deb`),
    rpm: join(DIST, `callboard-${version}-1.x86_64.rpm`),
  };
  for (const path of Object.values(files)) await Deno.stat(path);
  return files;
}
