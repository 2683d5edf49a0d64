import assert from "node:assert/strict";
import type { Operation } from "@/lib/access/operation.ts";
import { TOKEN_SCOPES, type TokenScope } from "@/lib/model/token_limits.ts";
import { allOperations } from "@/lib/web/api/operations.ts";
import { goodCall } from "@/tests/support/world/api_calls.ts";
import type { Person } from "@/tests/support/world/cast.ts";
import { pageAddresses } from "@/tests/support/world/page_addresses.ts";
import { ALSO, byToken, modelOf, tokenOf } from "@/tests/support/world/token_calls.ts";
import { newWorld, readAnswer } from "@/tests/support/world/world.ts";

/** Whether a person's role lets them call an operation on the objects of the web project. */
function mayPerson(person: Person, { id, access, path }: Operation): boolean {
  if (person === "erin" || access === "user") return true;
  if (access === "admin" || access === "admin_or_self" || access === "create_project") return false;
  if (person === "dave") return !path.startsWith("/project/");
  // Guests stop not even tasks of their own, because they start none.
  if (person === "carol" && /^stop/.test(id)) return false;
  if (access === "member" || person === "alice") return true;
  const roles: Record<string, RegExp> = {
    mike: /^(?!update_project|manage_users|add_people)/,
    bob: /^(run_tasks|override_runs|approve_tasks|stop_all_tasks|see_all_tasks|read_output)$/,
    carol: /^(see_all_tasks|read_output)$/,
  };
  return roles[person].test(access);
}

const PEOPLE = ["alice", "mike", "bob", "carol", "dave", "erin"] as const;

/** Returns the refusal that the model expects of a call; null for none. */
function expected(person: Person, operation: Operation, scope: TokenScope): string | null {
  if (person === "dave" && operation.path.startsWith("/project/")) return "not_found";
  const needed = modelOf(operation);
  if (!needed.includes(scope)) return needed[0];
  if (person === "erin" && ALSO[operation.id]) return ALSO[operation.id];
  if (operation.id === "stopQueuedTask") {
    // An administrator without the scope to read sees nothing of the task.
    return person === "erin" && scope === "admin" ? "not_found" : "forbidden";
  }
  return mayPerson(person, operation) ? null : "forbidden";
}

/** Whether a refusal is the expected one. Others are about the objects of the call. */
function isExpected(wanted: string | null, { status, body }: { status: number; body: unknown }) {
  const { code, scope } = (body ?? {}) as { code?: string; scope?: string };
  if (wanted === null) return code !== "insufficient_scope" && code !== "forbidden";
  if (wanted === "not_found") return status === 404;
  if (wanted === "forbidden") return status === 403 && code !== "insufficient_scope";
  return status === 403 && code === "insufficient_scope" && scope === wanted;
}

Deno.test("every operation asks each token of each person for the scope of the model", async () => {
  const differences: string[] = [];
  let calls = 0;
  for (const operation of allOperations) {
    if (operation.access === "public") continue;
    await using world = await newWorld({ config: { usersCreateProjects: false } });
    const { path, body } = await goodCall(operation, world, "alice");
    const tries = PEOPLE.flatMap((person) =>
      TOKEN_SCOPES.map((scope) => ({ person, scope, wanted: expected(person, operation, scope) }))
    );
    // Calls that change something come last, because the later ones would not find it.
    const ordered = tries.toSorted((a, b) => Number(a.wanted === null) - Number(b.wanted === null));
    for (const { person, scope, wanted } of ordered) {
      const token = await tokenOf(world, person, { scopes: [scope] }).catch(() => null);
      if (token === null) continue; // after a call that has deleted the account
      const answer = await byToken(world, token, operation.method, path, body);
      calls++;
      if (isExpected(wanted, answer)) continue;
      const said = JSON.stringify(answer.body)?.slice(0, 120);
      differences.push(`${operation.id} ${person} ${scope}: ${wanted}, ${answer.status} ${said}`);
    }
  }
  assert.deepEqual(differences, []);
  assert.ok(calls > 5_000, String(calls));
});

Deno.test("a refusal names the missing scope in the body and in the challenge", async () => {
  await using world = await newWorld();
  const token = await tokenOf(world, "alice", { scopes: ["read"] });
  const path = `/api/project/${world.web.id}/tasks`;
  const { status, body, headers } = await byToken(world, token, "POST", path, {
    template_id: world.web.templateId,
  });
  assert.equal(status, 403);
  assert.match(body.error, /scope "run"/);
  assert.deepEqual([body.code, body.scope], ["insufficient_scope", "run"]);
  assert.equal(
    headers.get("www-authenticate"),
    'Bearer realm="Callboard", error="insufficient_scope", scope="run"',
  );
});

Deno.test("pages and sockets need the scope to read, and pages nothing more than roles", async () => {
  await using world = await newWorld();
  const { web, people } = world;
  const tokens = {
    read: await tokenOf(world, "erin", { scopes: ["read"] }),
    run: await tokenOf(world, "erin", { scopes: ["run"] }),
    all: await tokenOf(world, "erin", {}),
  };
  const paths = (await pageAddresses())
    .map((path) => path.replaceAll("[userId]", String(people.bob.id)))
    .map((path) => path.replace("[projectId]", String(web.id)).replaceAll(/\[\w+\]/g, "1"));
  for (const path of paths) {
    const [read, run, all] = await Promise.all(
      Object.values(tokens).map((token) => byToken(world, token, "GET", path)),
    );
    assert.equal(run.status, 403, path);
    assert.match(String(run.headers.get("www-authenticate")), /scope="read"/, path);
    const isOfAdmins = /^\/(users|admin|account|runners|toolchains|alerts)/.test(path);
    const isSame = read.status === all.status;
    if (!isOfAdmins) {
      assert.ok(isSame || [403, 404].includes(read.status), `${path}: ${read.status}`);
    }
    if (/^\/(users\/\d|account(\/(tokens|security|password))?$)/.test(path) && all.status === 200) {
      assert.ok([403, 404].includes(read.status), path);
    }
  }
  const socket = {
    Upgrade: "websocket",
    Connection: "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  const refused = await world.request("/api/ws", {
    headers: { ...socket, Authorization: `Bearer ${tokens.run}` },
  });
  assert.equal(refused.status, 403);
  assert.match(await refused.text(), /insufficient_scope/);
});

Deno.test("old tokens and tokens without limits do what they did", async () => {
  await using world = await newWorld();
  for (const body of [{}, { scopes: null, project_ids: null }, { scopes: TOKEN_SCOPES }]) {
    const token = await tokenOf(world, "alice", body);
    const { status } = await byToken(world, token, "POST", `/api/project/${world.web.id}/keys`, {
      name: `Key ${crypto.randomUUID()}`,
      type: "none",
    });
    assert.equal(status, 201);
    assert.equal((await byToken(world, token, "GET", "/api/user/tokens")).status, 200);
  }
  const { body } = await world.api("alice", "GET", "/api/user/tokens");
  const none = { scopes: null, project_ids: null, template_ids: null, networks: null };
  for (const token of body) {
    const { scopes, project_ids, template_ids, networks } = token;
    assert.deepEqual({ scopes, project_ids, template_ids, networks }, none);
  }
});

Deno.test("a token reaches its projects and no others, for an admin too", async () => {
  await using world = await newWorld();
  const { web, lab } = world;
  const token = await tokenOf(world, "erin", { project_ids: [web.id] });
  const get = async (path: string) => await byToken(world, token, "GET", path);
  assert.equal((await get(`/api/project/${web.id}/templates`)).status, 200);
  assert.equal((await get(`/api/project/${lab.id}/templates`)).status, 404);
  const { body: projects } = await get("/api/projects");
  assert.deepEqual(projects.map(({ id }: { id: number }) => id), [web.id]);
  assert.equal(
    (await get("/api/users")).body.some(({ email }: { email?: string }) => email),
    false,
  );
  assert.equal((await byToken(world, token, "POST", "/api/projects", { name: "New" })).status, 403);
  const own = await world.api("erin", "GET", "/api/user/tokens");
  assert.deepEqual(own.body[0].scopes, ["read", "run", "manage"]);
});

Deno.test("a token with chosen templates runs these, and reads others only with that scope", async () => {
  await using world = await newWorld();
  const { web } = world;
  const tasks = `/api/project/${web.id}/tasks`;
  const { body: template } = await world.api("alice", "GET", `/api/project/${web.id}/templates`);
  const first = template[0];
  const second = await world.api("alice", "POST", `/api/project/${web.id}/templates`, {
    ...first,
    id: 0,
    name: "Another",
  });
  assert.equal(second.status, 201, JSON.stringify(second.body));
  const other = await world.api("alice", "POST", tasks, { template_id: second.body.id });
  const limits = { template_ids: [first.id] };
  const run = await tokenOf(world, "alice", { scopes: ["run"], ...limits });
  const both = await tokenOf(world, "alice", limits);
  for (const token of [run, both]) {
    const started = await byToken(world, token, "POST", tasks, { template_id: first.id });
    assert.equal(started.status, 201);
    const named = await byToken(world, token, "POST", tasks, { template_name: first.name });
    assert.equal(named.status, 201);
    const calls: [string, string, unknown?][] = [
      ["POST", tasks, { template_id: second.body.id }],
      ["POST", tasks, { template_name: "Another" }],
      ["POST", `${tasks}/${other.body.id}/stop`, {}],
      ["POST", `${tasks}/${other.body.id}/confirm`, {}],
      ["POST", `${tasks}/${other.body.id}/retry`, {}],
      ["POST", `/api/project/${web.id}/templates/${second.body.id}/stop_all_tasks`],
    ];
    for (const [method, path, body] of calls) {
      const { status } = await byToken(world, token, method, path, body);
      assert.equal(status, 403, `${method} ${path}`);
    }
    const stop = `${tasks}/${started.body.id}/stop`;
    assert.equal((await byToken(world, token, "POST", stop, {})).status, 204);
  }
  const read = async (token: string) =>
    (await byToken(world, token, "GET", `${tasks}/${other.body.id}`)).status;
  assert.deepEqual([await read(run), await read(both)], [403, 200]);
});

Deno.test("a token comes from its networks, as a trusted proxy has seen the address", async () => {
  await using world = await newWorld({ config: { trustProxy: true } });
  const token = await tokenOf(world, "alice", { networks: ["192.0.2.0/24", "2001:db8::/32"] });
  const from = async (address: string, forwarded?: string) => {
    const response = await world.request("/api/user", {
      headers: {
        Authorization: `Bearer ${token}`,
        ...forwarded && { "X-Forwarded-For": forwarded },
      },
      address,
    });
    return await readAnswer(response);
  };
  assert.equal((await from("192.0.2.9")).status, 200);
  assert.equal((await from("203.0.113.1", "10.9.9.9, 192.0.2.9")).status, 200);
  assert.equal((await from("203.0.113.1", "::ffff:192.0.2.9")).status, 200);
  const refused = await from("192.0.2.9", "192.0.2.1, 203.0.113.1");
  assert.deepEqual([refused.status, refused.body.code], [403, "token_network"]);
  assert.equal((await from("192.0.2.9", "unknown")).status, 403);
  const { body } = await world.api("alice", "GET", "/api/user/tokens");
  assert.equal(body[0].last_address, "192.0.2.9", "a refused call is no use");
});

Deno.test("limits that would not hold are refused with a sentence at their field", async () => {
  await using world = await newWorld();
  const { web, lab } = world;
  const cases: [body: object, field: string][] = [
    [{ scopes: [] }, "scopes"],
    [{ scopes: ["write"] }, "scopes.0"],
    [{ project_ids: [] }, "project_ids"],
    [{ project_ids: [lab.id] }, "project_ids"],
    [{ project_ids: [web.id], scopes: ["admin"] }, "project_ids"],
    [{ template_ids: [1], scopes: ["manage", "run"] }, "template_ids"],
    [{ template_ids: [1], scopes: ["read"] }, "template_ids"],
    [{ networks: ["nowhere"] }, "networks"],
    [{ read_only: true }, "read_only"],
    [{ project_id: 1 }, "project_id"],
  ];
  for (const [sent, field] of cases) {
    const { status, body } = await world.api("alice", "POST", "/api/user/tokens", sent);
    assert.equal(status, 400, JSON.stringify(sent));
    assert.deepEqual(Object.keys(body.fields), [field], JSON.stringify(body));
  }
});

Deno.test("a token creates none that may do more, and changes none", async () => {
  await using world = await newWorld();
  const maker = await tokenOf(world, "alice", {
    may_make_tokens: true,
    scopes: ["read", "admin"],
    networks: ["192.0.2.0/24"],
  });
  const make = async (body: object) =>
    await byToken(world, maker, "POST", "/api/user/tokens", body, "192.0.2.1");
  const networks = ["192.0.2.7"];
  assert.equal((await make({ scopes: ["read"], networks })).status, 201);
  for (
    const body of [{}, { scopes: ["read", "run"], networks }, { scopes: ["read"] }, {
      scopes: ["read"],
      networks: ["192.0.0.0/16"],
    }]
  ) {
    const answer = await make(body);
    assert.deepEqual([answer.status, answer.body.code], [403, "token_more"], JSON.stringify(body));
  }
  const itself = `/api/user/tokens/${maker.slice(0, 8)}`;
  const widened = await byToken(world, maker, "PUT", itself, { scopes: null }, "192.0.2.1");
  assert.deepEqual([widened.status, widened.body.code], [403, "token_needs_session"]);
});

Deno.test("a token is changed by a session, and what is not sent stays", async () => {
  await using world = await newWorld();
  const token = await tokenOf(world, "alice", { name: "ci", scopes: ["read", "run"] });
  const path = `/api/user/tokens/${token.slice(0, 8)}`;
  const put = async (body: object) => (await world.api("alice", "PUT", path, body)).status;
  const stored = async () => (await world.api("alice", "GET", "/api/user/tokens")).body[0];
  assert.equal(await put({ networks: ["192.0.2.0/24"], project_ids: [world.web.id] }), 204);
  const { name, scopes, networks, project_ids } = await stored();
  assert.deepEqual({ name, scopes, networks, project_ids }, {
    name: "ci",
    scopes: ["read", "run"],
    networks: ["192.0.2.0/24"],
    project_ids: [world.web.id],
  });
  assert.equal(await put({ networks: null, scopes: ["read"] }), 204);
  assert.deepEqual((await stored()).networks, null);
  const answer = await byToken(world, token, "POST", `/api/project/${world.web.id}/tasks`, {});
  assert.equal(answer.body.scope, "run", "from the next call on");
  const { body: events } = await world.api("erin", "GET", "/api/events");
  const changed = events.find(({ description }: { description: string }) =>
    description.includes("was changed") && description.includes("ci")
  );
  assert.ok(changed, JSON.stringify(events.slice(0, 3)));
  assert.equal((await world.api("bob", "PUT", path, { name: "mine" })).status, 404);
});

Deno.test("every token ends itself, and no other without the scope of accounts", async () => {
  await using world = await newWorld();
  for (const scope of TOKEN_SCOPES) {
    const token = await tokenOf(world, "bob", { scopes: [scope] });
    const other = await tokenOf(world, "bob", {});
    const end = async (text: string) =>
      (await byToken(world, token, "DELETE", `/api/user/tokens/${text.slice(0, 8)}`)).status;
    assert.deepEqual([await end(other), await end(token), await end(token)], [403, 204, 401]);
  }
});

Deno.test("the demotion of a person narrows their token immediately", async () => {
  await using world = await newWorld();
  const { web, people } = world;
  const token = await tokenOf(world, "mike", { scopes: ["read", "manage"] });
  const make = async () =>
    (await byToken(world, token, "POST", `/api/project/${web.id}/keys`, {
      name: `Key ${crypto.randomUUID()}`,
      type: "none",
    })).status;
  assert.equal(await make(), 201);
  const role = `/api/project/${web.id}/users/${people.mike.id}`;
  assert.equal((await world.api("alice", "PUT", role, { role: "guest" })).status, 204);
  assert.equal(await make(), 403);
  assert.equal((await world.api("alice", "DELETE", role)).status, 204);
  assert.equal(await make(), 404);
});

Deno.test("streams of a token end within 2 seconds once it is narrowed or revoked", async () => {
  await using world = await newWorld();
  const { web } = world;
  const { body: task } = await world.api("alice", "POST", `/api/project/${web.id}/tasks`, {
    template_id: web.templateId,
  });
  const changes: Record<string, (path: string) => Promise<unknown>> = {
    narrowed: (path) => world.api("alice", "PUT", path, { networks: ["192.0.2.0/24"] }),
    revoked: (path) => world.api("alice", "DELETE", path),
  };
  for (const [name, change] of Object.entries(changes)) {
    const token = await tokenOf(world, "alice", { scopes: ["read"] });
    const response = await world.request(`/api/project/${web.id}/tasks/${task.id}/events`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    assert.equal(response.status, 200);
    const reader = response.body!.getReader();
    const ended = (async () => {
      while (!(await reader.read()).done);
    })();
    const began = performance.now();
    await change(`/api/user/tokens/${token.slice(0, 8)}`);
    await ended;
    assert.ok(performance.now() - began < 2_000, name);
  }
});
