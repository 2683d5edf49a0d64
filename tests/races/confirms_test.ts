import assert from "node:assert/strict";
import { templateForm } from "@/tests/support/world/forms.ts";
import { newWorld } from "@/tests/support/world/world.ts";

Deno.test("one of several people who confirm or reject a task at the same time succeeds", async () => {
  for (let round = 0; round < 10; round++) {
    await using world = await newWorld();
    const { api, web } = world;
    const project = `/api/project/${web.id}`;
    const form = templateForm(world, { require_confirmation: true });
    const template = await api("mike", "POST", `${project}/templates`, form);
    const started = await api("bob", "POST", `${project}/tasks`, { template_id: template.body.id });
    assert.equal(started.body.status, "waiting_confirmation");
    const task = `${project}/tasks/${started.body.id}`;

    const answers = await Promise.all(
      (["confirm", "reject", "confirm", "confirm", "reject", "confirm"] as const).map(
        async (verb, n) => {
          const { status } = await api(n % 2 === 0 ? "bob" : "mike", "POST", `${task}/${verb}`);
          return { verb, status };
        },
      ),
    );
    const heard = answers.filter(({ status }) => status === 204);
    assert.equal(heard.length, 1, JSON.stringify(answers));
    assert.ok(answers.every(({ status }) => status === 204 || status === 409));
    const { status } = (await api("bob", "GET", task)).body;
    assert.equal(status, heard[0].verb === "confirm" ? "confirmed" : "stopped");
  }
});
