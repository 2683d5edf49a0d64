import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { newWorld } from "@/tests/support/world/world.ts";

const folder = fileURLToPath(new URL("../../packaging/monitoring", import.meta.url));

/** Runs Prometheus's own tool. Returns what it says. */
async function promtool(args: string[], input = ""): Promise<{ code: number; text: string }> {
  const child = new Deno.Command("promtool", {
    args,
    cwd: folder,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  return { code, text: [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("") };
}

Deno.test("promtool accepts the alert rules", async () => {
  const { code, text } = await promtool(["check", "rules", "alerts.yml"]);
  assert.equal(code, 0, text);
  assert.match(text, /SUCCESS: 25 rules found/);
});

Deno.test("each alert fires in a bad case, and neither too early nor in a good case", async () => {
  const tests = await Deno.readTextFile(`${folder}/alerts_test.yml`);
  const rules = await Deno.readTextFile(`${folder}/alerts.yml`);
  for (const [, alert] of rules.matchAll(/- alert: (\w+)/g)) {
    for (const name of [`${alert} fires`, `${alert} stays quiet`]) {
      assert.ok(tests.includes(`name: "${name}"`), name);
    }
  }
  const { code, text } = await promtool(["test", "rules", "alerts_test.yml"]);
  assert.equal(code, 0, text);
});

Deno.test("promtool finds no wrong name in /metrics", async () => {
  await using world = await newWorld({ config: { metricsToken: "token-of-prometheus" } });
  await world.get("bob", "/");
  const response = await world.request("/metrics", {
    headers: { Authorization: "Bearer token-of-prometheus" },
  });
  const { code, text } = await promtool(["check", "metrics"], await response.text());
  assert.equal(text, "");
  assert.equal(code, 0);
});
