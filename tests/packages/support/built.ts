import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import denoJson from "../../../deno.json" with { type: "json" };
import { onceForTests } from "./once.ts";
import { succeed } from "./succeed.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const { version } = denoJson;

/** Names of the archives, without `.tar.gz`. The folder in an archive has its name. */
export const ARCHIVES = {
  x64: `callboard-${version}-linux-x64`,
  arm64: `callboard-${version}-linux-arm64`,
  ansible: `callboard-ansible-${version}-x64`,
};

/** File names of the packages for this machine. */
export const PACKAGES = {
  deb: `callboard_${version}_amd64.deb`,
  rpm: `callboard-${version}-1.x86_64.rpm`,
};

/** Returns the folder with the archives and packages of this tree. */
export async function builtArchives(): Promise<string> {
  return await onceForTests("archives", await treeHash(), async (folder) => {
    await succeed([Deno.execPath(), "task", "package", `--out=${folder}`]);
  });
}

/** Identifies the files of this tree: the commit, and the changes since. */
async function treeHash(): Promise<string> {
  const hash = createHash("sha256");
  for (const args of [["rev-parse", "HEAD"], ["diff", "HEAD"], ["status", "--porcelain"]]) {
    hash.update(await succeed(["git", "-C", ROOT, ...args]));
  }
  return hash.digest("hex").slice(0, 16);
}
