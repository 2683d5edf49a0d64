import assert from "node:assert/strict";
import { join } from "node:path";
import { ROOT } from "@/tests/support/basics/walk.ts";
import denoJson from "@/deno.json" with { type: "json" };

const TOOLS = ["sh", "git", "ssh", "python3", "tar", "env", "sed", "cat", "dirname", "uname"];

Deno.test("a machine without a network and Ansible learns which file helps, and where", async () => {
  const folder = await Deno.makeTempDir({ prefix: "callboard_offline_" });
  try {
    const bin = join(folder, "bin");
    await Deno.mkdir(bin);
    for (const tool of TOOLS) await Deno.symlink(await pathOf(tool), join(bin, tool));
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "scripts/prepare.ts"],
      cwd: ROOT,
      env: {
        PATH: bin,
        HOME: folder,
        CALLBOARD_DATA: join(folder, "data"),
        PIP_INDEX_URL: "http://127.0.0.1:1/simple",
        PIP_RETRIES: "0",
        NO_COLOR: "1",
      },
      clearEnv: true,
    }).output();
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    const name = `callboard-ansible-${denoJson.version}-\\w+\\.tar\\.gz`;
    const sentence = `Ansible could not be downloaded. Without a network, put ${name} into ${ROOT}`;
    assert.match(said, RegExp(sentence));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

async function pathOf(tool: string): Promise<string> {
  const { stdout } = await new Deno.Command("sh", { args: ["-c", `command -v ${tool}`] }).output();
  return new TextDecoder().decode(stdout).trim();
}
