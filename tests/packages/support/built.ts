import { createHash } from "node:crypto";
import denoJson from "../../../deno.json" with { type: "json" };
import { onceForTests } from "./once.ts";
import { succeed } from "./succeed.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";

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

/** Identifies the files of this tree: the commit, the changes since, and new files. */
async function treeHash(): Promise<string> {
  const git = (...args: string[]) => succeed(["git", "-C", ROOT, ...args]);
  const hash = createHash("sha256");
  const added = await git("ls-files", "--others", "--exclude-standard");
  for (const text of [await git("rev-parse", "HEAD"), await git("diff", "HEAD"), added]) {
    hash.update(text);
  }
  for (const path of added.split("\n").filter(Boolean)) {
    hash.update(await Deno.readFile(`${ROOT}/${path}`));
  }
  return hash.digest("hex").slice(0, 16);
}
