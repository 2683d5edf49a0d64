import assert from "node:assert/strict";
import { rowKeys } from "@/lib/store/keys.ts";
import { setMember } from "@/lib/access/members.ts";
import { htmlOf, textOf } from "@/tests/support/basics/html.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

interface Right {
  allowed: boolean;
  origin: string;
}
interface Access {
  username: string;
  role: string;
  permissions: string[];
  rights: { see: Right; run: Right; edit: Right } | null;
  templates: { total: number; seen: number; runnable: number; hidden: { id: number }[] } | null;
}

const NO_ONE = { roles: [], user_ids: [] };
const accessOf = ({ web }: World, query: string) => `/api/project/${web.id}/access?${query}`;
const templateOf = ({ web, deploy }: World) => `/api/project/${web.id}/templates/${deploy.id}`;

async function set(world: World, path: string, members: object): Promise<void> {
  const { body } = await world.api("alice", "GET", path);
  const { status, body: refusal } = await world.api("alice", "PUT", path, { ...body, ...members });
  assert.equal(status, 204, JSON.stringify(refusal));
}

/** Returns each member's rights as texts such as "+rule -role". */
function shown(people: Access[]): Record<string, string> {
  const text = ({ allowed, origin }: Right) => `${allowed ? "+" : "-"}${origin}`;
  return Object.fromEntries(people.map(({ username, rights }) => [
    username,
    [rights!.see, rights!.run, rights!.edit].map(text).join(" "),
  ]));
}

Deno.test("each member's rights to a template have their origin", async () => {
  await using world = await newWorld();
  const query = accessOf(world, `template_id=${world.deploy.id}`);
  const asked = async () => {
    const { status, body } = await world.api("alice", "GET", query);
    assert.equal(status, 200, JSON.stringify(body));
    return shown(body);
  };
  assert.deepEqual(await asked(), {
    alice: "+role +role +role",
    mike: "+role +role +role",
    bob: "+role +role -role",
    carol: "+role -role -role",
  });
  const view = await world.api("alice", "POST", `/api/project/${world.web.id}/views`, {
    title: "Nightly",
    run_by: { roles: ["manager"] },
  });
  await set(world, templateOf(world), {
    view_id: view.body.id,
    visible_to: { roles: ["manager", "task_runner"] },
    edit_by: NO_ONE,
  });
  assert.deepEqual(await asked(), {
    alice: "+role +role +role",
    mike: "+rule +view -rule",
    bob: "+rule -view -role",
    carol: "-rule -rule -rule",
  });
});

Deno.test("the answer says the same as calls of that person", async () => {
  await using world = await newWorld();
  const rules = [null, { roles: ["task_runner"], user_ids: [] }, NO_ONE];
  for (const visible_to of rules) {
    for (const run_by of rules) {
      await set(world, templateOf(world), { visible_to, run_by, edit_by: visible_to });
      const { body } = await world.api(
        "alice",
        "GET",
        accessOf(world, `template_id=${world.deploy.id}`),
      );
      for (const { username, rights } of body as Access[]) {
        const who = username as "alice" | "mike" | "bob" | "carol";
        const what = JSON.stringify([who, visible_to, run_by]);
        const seen = await world.api(who, "GET", templateOf(world));
        assert.equal(seen.status === 200, rights!.see.allowed, what);
        const described = await world.api(who, "PUT", `${templateOf(world)}/description`, {
          description: "Same",
        });
        assert.equal(described.status === 204, rights!.edit.allowed, what);
        const started = await world.api(who, "POST", `/api/project/${world.web.id}/tasks`, {
          template_id: world.deploy.id,
        });
        assert.equal(started.status === 201, rights!.run.allowed, what);
      }
    }
  }
});

Deno.test("people ask about themselves, and only those who manage users about others", async () => {
  await using world = await newWorld();
  const { alice, bob, carol, dave, erin } = world.people;
  await set(world, templateOf(world), { visible_to: NO_ONE });
  const ask = async (who: Person, query: string) =>
    (await world.api(who, "GET", accessOf(world, query))).status;
  assert.equal(await ask("bob", `user_id=${bob.id}`), 200);
  assert.equal(await ask("bob", `user_id=${carol.id}`), 403);
  assert.equal(await ask("bob", `template_id=${world.deploy.id}`), 404);
  assert.equal(await ask("bob", `user_id=${bob.id}&template_id=${world.deploy.id}`), 404);
  assert.equal(await ask("dave", `user_id=${dave.id}`), 404);
  assert.equal(await ask("alice", `user_id=${dave.id}`), 404);
  assert.equal(await ask("carol", ""), 200);
  assert.equal(await ask("alice", `template_id=${world.deploy.id}&workflow_id=1`), 400);
  assert.equal(await ask("erin", `user_id=${alice.id}`), 200);
  await set(world, templateOf(world), { visible_to: null });
  assert.equal(await ask("bob", `template_id=${world.deploy.id}`), 403);
  const own = await world.api(
    "erin",
    "GET",
    accessOf(world, `user_id=${erin.id}&template_id=${world.deploy.id}`),
  );
  const [{ rights, role }] = own.body as Access[];
  assert.deepEqual([role, rights!.run], ["", { allowed: true, origin: "admin" }]);
});

Deno.test("a person's templates are counted, and hidden ones are named", async () => {
  await using world = await newWorld();
  const { body } = await world.api("alice", "GET", templateOf(world));
  const add = (name: string, rule: object) =>
    world.api("alice", "POST", `/api/project/${world.web.id}/templates`, {
      ...body,
      name,
      ...rule,
    });
  const hidden = await add("Hidden", { visible_to: { roles: ["manager"] } });
  await add("Seen", { run_by: NO_ONE });
  const { bob } = world.people;
  const ask = async (who: "alice" | "bob") =>
    (await world.api(who, "GET", accessOf(world, `user_id=${bob.id}`))).body[0] as Access;
  const { templates, permissions } = await ask("alice");
  assert.deepEqual(templates, {
    total: 3,
    seen: 2,
    runnable: 1,
    editable: 0,
    hidden: [{ id: hidden.body.id, name: "Hidden" }],
  });
  assert.ok(permissions.includes("run_tasks") && !permissions.includes("manage_users"));
  // Bob learns nothing about what he does not see.
  assert.deepEqual((await ask("bob")).templates, {
    total: 2,
    seen: 2,
    runnable: 1,
    editable: 0,
    hidden: [],
  });
});

Deno.test("members come in pages of at most 200", async () => {
  await using world = await newWorld();
  const { kv, web } = world;
  const { value: bob } = await kv.get<object>(rowKeys.user(world.people.bob.id));
  for (let id = 1_001; id <= 1_210; id++) {
    const op = kv.atomic();
    op.set(rowKeys.user(id), { ...bob, id, username: `p${id}`, name: `P ${id}` });
    setMember(op, { project_id: web.id, user_id: id, role: "task_runner" });
    await op.commit();
  }
  const first = await world.api("alice", "GET", accessOf(world, `template_id=${world.deploy.id}`));
  assert.equal(first.body.length, 200);
  assert.equal(first.headers.get("X-Has-Next"), "true");
  const after = first.body.at(-1).user_id;
  const rest = await world.api(
    "alice",
    "GET",
    accessOf(world, `template_id=${world.deploy.id}&after=${after}`),
  );
  assert.equal(rest.body.length, 14);
  assert.equal(rest.headers.get("X-Has-Next"), "false");
});

Deno.test("the page of a template says who sees and runs it, and where that comes from", async () => {
  await using world = await newWorld();
  const { web, deploy, people: { bob } } = world;
  const page = `/project/${web.id}/templates/${deploy.id}`;
  const text = async (who: "alice" | "mike" | "bob", path = page) =>
    textOf(await htmlOf(await world.get(who, path)));
  assert.doesNotMatch(await text("bob"), /Who (sees|runs|edits) it/);
  const view = await world.api("alice", "POST", `/api/project/${web.id}/views`, {
    title: "Nightly",
    visible_to: { roles: ["manager", "task_runner"] },
  });
  await set(world, templateOf(world), {
    view_id: view.body.id,
    run_by: { roles: ["manager"], user_ids: [bob.id] },
    edit_by: NO_ONE,
  });
  const shownTo = await text("bob");
  assert.match(shownTo, /Who runs it: Manager, Bob/);
  assert.match(shownTo, /Who edits it: Only people who manage the team/);
  assert.match(shownTo, /Rule of the view Nightly Who sees it: Manager, Task runner/);
  assert.doesNotMatch(shownTo, /Who can run this\?/);
  const links = async (who: "alice" | "mike") =>
    [...(await htmlOf(await world.get(who, page))).matchAll(/href="[^"]*\/(edit|delete|tasks)"/g)]
      .map(([, part]) => part).toSorted();
  assert.deepEqual(await links("mike"), (await links("alice")).filter((part) => part === "tasks"));
  assert.match(await text("alice"), /Who can run this\?/);
  assert.equal((await world.get("bob", `${page}/who`)).status, 403);
  const who = await text("alice", `${page}/who`);
  assert.match(who, /Bob Task runner Yes: Rule of the view Yes: Own rule No: Role/);
  // Someone who leaves stays named, and lets no one else in.
  assert.equal(
    (await world.api("alice", "DELETE", `/api/project/${web.id}/users/${bob.id}`)).status,
    204,
  );
  const later = await text("alice");
  assert.match(later, new RegExp(`Who runs it: Manager, Former member \\(#${bob.id}\\)`));
  assert.match(later, /no longer exist\. The rule stays as it is\./);
});

Deno.test("the page of a workflow says the same", async () => {
  await using world = await newWorld();
  const { web, deploy } = world;
  const steps = [{ kind: "template", template_id: deploy.id }];
  const run_by = { roles: ["manager"] };
  const made = await world.api("alice", "POST", `/api/project/${web.id}/workflows`, {
    name: "Release",
    steps,
    run_by,
  });
  const page = `/project/${web.id}/workflows/${made.body.id}`;
  assert.match(textOf(await htmlOf(await world.get("bob", page))), /Who runs it: Manager/);
  const who = textOf(await htmlOf(await world.get("mike", `${page}/who`)));
  assert.match(who, /Bob Task runner Yes: Role No: Own rule No: Role/);
});
