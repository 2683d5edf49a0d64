import assert from "node:assert/strict";
import { join } from "node:path";
import { CASES, FILE, WARNINGS } from "@/tests/support/basics/environment_file.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";

const COMMAND = join(ROOT, "packaging/systemd/callboard");

Deno.test("the command of the packages reads settings as systemd does, and names lines it ignores", async () => {
  const folder = await Deno.makeTempDir({ prefix: "callboard_env_" });
  try {
    const settings = join(folder, "env");
    await Deno.writeTextFile(settings, FILE);
    const script = (await Deno.readTextFile(COMMAND))
      .replace(/^top=.*$/m, `top=${ROOT}`)
      .replace('"$top/app/', '"$top/')
      .replace(/^settings=.*$/m, `settings=${settings}`)
      .replace("$(id -u)", "0")
      .replace(/setpriv .*$/m, "env -0");
    const { stdout, stderr } = await new Deno.Command("sh", {
      args: ["-c", script, "callboard", "doctor"],
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH")! },
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    const all = text(stdout).split("\0");
    const read = all.filter((one) => one.startsWith("ODD_")).toSorted();
    assert.deepEqual(read, Object.entries(CASES).map(([name, value]) => `${name}=${value}`));
    const odd = all.find((one) => one.startsWith("CALLBOARD_FILE_ODD="))!.split("=").slice(1);
    assert.deepEqual(odd.join("=").split("\n").map((one) => one && `line ${one}`), WARNINGS);
    assert.equal(text(stderr), "");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
