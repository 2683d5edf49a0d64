import assert from "node:assert/strict";
import { sentForm } from "@/tests/support/basics/html.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";
import type { Person } from "@/tests/support/world/cast.ts";

async function objectsOf(world: World) {
  const { web, deploy } = world;
  const make = async (path: string, body: object) =>
    (await world.api("alice", "POST", `/api/project/${web.id}/${path}`, body)).body.id as number;
  const steps = [{ kind: "template", template_id: deploy.id }];
  const view = await make("views", { title: "Nightly" });
  const workflow = await make("workflows", { name: "Release", steps });
  const project = `/project/${web.id}`;
  return {
    template: [`/templates/${deploy.id}`, `${project}/templates/${deploy.id}/edit`],
    workflow: [`/workflows/${workflow}`, `${project}/workflows/${workflow}/edit`],
    view: [`/views/${view}`, `${project}/views/${view}`],
  };
}

const page = async (world: World, who: Person, path: string) =>
  await (await world.get(who, path)).text();

Deno.test("the forms of templates, workflows and views choose who sees, runs and edits", async () => {
  await using world = await newWorld();
  const { bob } = world.people;
  for (const [api, form] of Object.values(await objectsOf(world))) {
    const stored = async () => {
      const { body } = await world.api("alice", "GET", `/api/project/${world.web.id}${api}`);
      return { visible_to: body.visible_to, run_by: body.run_by, edit_by: body.edit_by };
    };
    const send = async (more: Record<string, string>) => {
      const html = await page(world, "alice", form);
      const answer = await world.post("alice", form, { ...sentForm(html, form), ...more });
      assert.equal(answer.status, 303, `${form}: ${await answer.text()}`);
    };
    const chosen = {
      "visible_to.who": "chosen",
      "visible_to.roles.1": "manager",
      "run_by.who": "chosen",
      [`run_by.user_ids.${bob.id}`]: String(bob.id),
    };
    const rule = {
      visible_to: { roles: ["manager"], user_ids: [] },
      run_by: { roles: [], user_ids: [bob.id] },
      edit_by: null,
    };
    await send(chosen);
    assert.deepEqual(await stored(), rule, form);
    const html = await page(world, "alice", form);
    assert.match(html, /Only some see it · Only some run it/);
    // A save of the form as it is changes nothing.
    await send({});
    assert.deepEqual(await stored(), rule, form);
    // Boxes that are hidden, because everyone is chosen, do not count.
    await send({ "visible_to.who": "", "run_by.who": "" });
    assert.deepEqual(await stored(), { visible_to: null, run_by: null, edit_by: null });
    assert.match(await page(world, "alice", form), /Everyone in the project/);
  }
});

Deno.test("a form whose rule would lock its sender out opens the section with the reason", async () => {
  await using world = await newWorld();
  for (const [, form] of Object.values(await objectsOf(world))) {
    const fields = sentForm(await page(world, "mike", form), form);
    const answer = await world.post("mike", form, { ...fields, "edit_by.who": "chosen" });
    assert.equal(answer.status, 422, form);
    const html = await answer.text();
    assert.match(html, /<details id="access"[^>]* open/);
    assert.match(html, /You could no longer edit this\. Add your role or yourself\./);
  }
});

Deno.test("a copy of a template starts with its rule", async () => {
  await using world = await newWorld();
  const path = `/api/project/${world.web.id}/templates/${world.deploy.id}`;
  const { body } = await world.api("alice", "GET", path);
  const visible_to = { roles: ["manager"], user_ids: [] };
  assert.equal((await world.api("alice", "PUT", path, { ...body, visible_to })).status, 204);
  const form = `/project/${world.web.id}/templates/new/edit?from=${world.deploy.id}`;
  const fields = sentForm(await page(world, "mike", form), form);
  assert.equal(fields["visible_to.who"], "chosen");
  const answer = await world.post("mike", form, { ...fields, name: "Copy" });
  assert.equal(answer.status, 303, await answer.text());
  const { body: all } = await world.api("alice", "GET", `/api/project/${world.web.id}/templates`);
  const copy = all.find(({ name }: { name: string }) => name === "Copy");
  assert.deepEqual(copy.visible_to, visible_to);
});
