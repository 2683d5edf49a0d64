import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { succeeds } from "../command.ts";
import { pinFor, PINS, readRequirements } from "./pins.ts";
import { findWheels, wheelsName } from "./wheels.ts";

Deno.test("wheels are found unpacked and as an archive, in the first place that has them", async () => {
  const root = await Deno.makeTempDir({ prefix: "callboard_wheels_test_" });
  const [first, second, temporary] = ["first", "second", "temporary"].map((name) =>
    join(root, name)
  ) as [string, string, string];
  const name = wheelsName(Deno.build.arch === "x86_64" ? "x64" : "arm64");
  try {
    assert.equal(await findWheels(temporary, [first, second]), null);
    await Deno.mkdir(join(second, name), { recursive: true });
    assert.equal(await findWheels(temporary, [first, second]), join(second, name));

    await Deno.mkdir(first);
    await Deno.writeTextFile(join(second, name, "a.whl"), "");
    const archive = join(first, `${name}.tar.gz`);
    assert.ok(await succeeds(["tar", "-czf", archive, "-C", second, name]));
    assert.equal(await findWheels(temporary, [first, second]), join(temporary, name));
    assert.deepEqual([...Deno.readDirSync(join(temporary, name))].map(({ name }) => name), [
      "a.whl",
    ]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("each version of Python has its ansible-core, and each requirement has hashes", async () => {
  assert.equal(pinFor(8), undefined);
  assert.deepEqual([9, 10, 11, 12, 13, 14].map((minor) => pinFor(minor)?.from), [
    9,
    10,
    11,
    11,
    11,
    11,
  ]);
  for (const { file } of PINS) {
    const text = await Deno.readTextFile(file);
    assert.ok(readRequirements(text).has("ansible-core"), file);
    for (const requirement of text.split(/\n(?=[a-z])/).slice(1)) {
      assert.match(requirement, /^[\w-]+==\S+ \\\n +--hash=sha256:[0-9a-f]{64}/, file);
    }
  }
});

Deno.test("a runner may read the wheels beside Callboard, and no other file there", async () => {
  const top = await Deno.makeTempDir({ prefix: "callboard_wheels_" });
  try {
    const app = join(top, "callboard", "app");
    await Deno.mkdir(app, { recursive: true });
    for (const name of [`${wheelsName("x64")}.tar.gz`, "secret"]) {
      await Deno.writeTextFile(join(top, name), "");
    }
    const { stdout } = await new Deno.Command("sh", {
      args: [fileURLToPath(new URL("../readable.sh", import.meta.url)), "runner"],
      cwd: app,
      clearEnv: true,
      env: { CALLBOARD_RUNNER_DATA: "/data" },
    }).output();
    const [last, ...others] = new TextDecoder().decode(stdout).split(",").toReversed();
    assert.equal(last, `../../${wheelsName("x64")}.tar.gz`);
    assert.deepEqual(new Set(others), new Set(["/data"]));
  } finally {
    await Deno.remove(top, { recursive: true });
  }
});
