import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CASES, FILE, WARNINGS } from "../support/environment_file.ts";

const COMMAND = fileURLToPath(new URL("../../packaging/systemd/callboard", import.meta.url));

Deno.test("the command of the packages reads settings as systemd does, and names lines it ignores", async () => {
  const folder = await Deno.makeTempDir({ prefix: "callboard_env_" });
  try {
    const settings = join(folder, "env");
    await Deno.writeTextFile(settings, FILE);
    const script = (await Deno.readTextFile(COMMAND))
      .replace(/^program=.*$/m, "program=env")
      .replace(/^settings=.*$/m, `settings=${settings}`)
      .replace("$(id -u)", "0")
      .replace(/setpriv .* -- /, "");
    const { stdout, stderr } = await new Deno.Command("sh", {
      args: ["-c", script, "callboard", "-0"],
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH")! },
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    const read = text(stdout).split("\0").filter((one) => one.startsWith("ODD_")).toSorted();
    assert.deepEqual(read, Object.entries(CASES).map(([name, value]) => `${name}=${value}`));
    assert.deepEqual(text(stderr).replaceAll(`${settings}, `, "").split("\n"), WARNINGS);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
