import assert from "node:assert/strict";
import { openProject } from "@/lib/access/scope.ts";
import { newWorld } from "@/tests/support/world/world.ts";
import { sightOf } from "./sight.ts";

Deno.test("a rule narrows what others see, run and edit, and never owners", async () => {
  await using world = await newWorld();
  const { deps, people, web, deploy } = world;
  const path = `/api/project/${web.id}/templates/${deploy.id}`;
  const { body } = await world.api("alice", "GET", path);
  const change = (rule: object) => world.api("alice", "PUT", path, { ...body as object, ...rule });
  const sights = async () => {
    const found: Record<string, string> = {};
    for (const [name, { actor }] of Object.entries(people)) {
      const scope = await openProject({ deps, actor }, web.id).catch(() => null);
      if (!scope) continue;
      const sight = await sightOf(scope);
      const may = [
        sight.maySee("templates", deploy.id) && "see",
        sight.mayRun("templates", deploy.id) && "run",
        sight.mayEdit("templates", deploy.id) && "edit",
      ];
      found[name] = may.filter(Boolean).join(" ");
    }
    return found;
  };
  const everyone = await sights();
  assert.deepEqual(new Set(Object.values(everyone)), new Set(["see run edit"]));
  const { status, body: refusal } = await change({
    visible_to: { roles: ["manager", "guest"] },
    run_by: { roles: ["manager"] },
    edit_by: { roles: [], user_ids: [] },
  });
  assert.equal(status, 204, JSON.stringify(refusal));
  const { body: ruled } = await world.api("alice", "GET", path);
  assert.deepEqual((ruled as { run_by: unknown }).run_by, { roles: ["manager"], user_ids: [] });
  assert.deepEqual(await sights(), {
    alice: "see run edit",
    mike: "see run",
    bob: "",
    carol: "see",
    erin: "see run edit",
  });
});
