import assert from "node:assert/strict";
import { serverEventText } from "@/lib/http/server_event.ts";
import type { Hub } from "@/lib/base/hub.ts";
import { createHub } from "@/lib/base/hub.ts";
import { htmlEvents } from "@/lib/web/pages/live.ts";
import { changeRole } from "@/lib/people/team/service.ts";
import { openProject } from "@/lib/access/scope.ts";
import { h } from "preact";
import { until } from "@/tests/support/basics/until.ts";
import { newWorld, type World } from "@/tests/support/world/world.ts";

/** Creates a hub that counts its listeners. */
function countedHub() {
  const hub = createHub();
  let listeners = 0;
  const subscribe: Hub["subscribe"] = (listener) => {
    const unsubscribe = hub.subscribe(listener);
    listeners++;
    return () => {
      listeners--;
      unsubscribe();
    };
  };
  return { hub: { ...hub, subscribe }, count: () => listeners };
}

const eventPages = ({ web }: World) =>
  [
    "history/events",
    "activity/events",
    "templates/events",
    `templates/${web.templateId}/events`,
  ].map((path) => `/project/${web.id}/${path}`);

Deno.test("a request for the headers of an event stream leaves no listener behind", async () => {
  const { hub, count } = countedHub();
  await using world = await newWorld({ deps: { hub, live: hub } });
  const before = count();
  for (const path of eventPages(world)) {
    for (const encoding of ["gzip", "identity"]) {
      const headers = { Cookie: `callboard=${world.people.carol.token}` };
      const response = await world.request(path, {
        method: "HEAD",
        headers: { ...headers, "Accept-Encoding": encoding },
      });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("Content-Type"), "text/event-stream");
    }
  }
  await until(() => count() === before);
});

Deno.test("objects that do not exist have no stream", async () => {
  await using world = await newWorld();
  const { id } = world.web;
  for (const path of ["templates/999/events", "templates/x/events", "integration/999/events"]) {
    const response = await world.get("alice", `/project/${id}/${path}`);
    assert.equal(response.status, 404, path);
    await response.body?.cancel();
  }
});

Deno.test("a former manager of the project gets no further calls", async () => {
  await using world = await newWorld();
  const { api, web, people, deps } = world;
  const integrations = `/api/project/${web.id}/integrations`;
  const { body } = await api("alice", "POST", integrations, {
    name: "Git push",
    template_id: web.templateId,
  });
  const { body: { url } } = await api("alice", "POST", `${integrations}/${body.id}/aliases`);
  const call = async () =>
    await (await world.request(new URL(url).pathname, { method: "POST" })).body?.cancel();

  await call();
  const stream = await world.get("mike", `/project/${web.id}/integration/${body.id}/events`);
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  assert.match((await reader.read()).value!, /retry/);
  assert.match((await reader.read()).value!, /^id: 1$/m);
  const owner = await openProject({ deps, actor: people.alice.actor }, web.id, "add_people");
  await changeRole(owner, people.mike.id, { role: "guest" });
  await call();
  assert.deepEqual(await reader.read(), { done: true, value: undefined });
});

Deno.test("an event has its HTML as it is, whatever ends lines in it", () => {
  const [event] = htmlEvents({ href: (path) => path }, [
    h("p", null, "one\r\ntwo\rthree\nfour\u2028five"),
  ]);
  assert.equal(
    serverEventText(event),
    "data: <p>one\ndata: two\ndata: three\ndata: four\u2028five</p>\n\n",
  );
});

Deno.test("an account has a limited number of parallel event streams, and a slot again for each that ends", async () => {
  await using world = await newWorld();
  const [path] = eventPages(world);
  const streams: Response[] = [];
  for (let n = 0; n < 250; n++) {
    streams.push(await world.get("carol", path, { "Accept-Encoding": "" }));
  }
  assert.ok(streams.every(({ status }) => status === 200));
  const late = await world.get("carol", path);
  assert.equal(late.status, 429);
  assert.match(await late.text(), /250 live pages or connections/);
  const other = await world.get("bob", path);
  assert.equal(other.status, 200, "others have places of their own");
  await other.body?.cancel();
  for (const { body } of streams) await body?.cancel();
  for (let n = 0; n < 300; n++) {
    const again = await world.get("carol", path);
    assert.equal(again.status, 200);
    await again.body?.cancel();
  }
});

Deno.test("the streams of pages end when Bob signs out, and those of others continue", async () => {
  await using world = await newWorld();
  const paths = ["/events", `/project/${world.web.id}/activity/events`];
  const open = async (person: "alice" | "bob", path: string) => {
    const reader = (await world.get(person, path)).body!.getReader();
    await reader.read();
    return reader;
  };
  const own = await Promise.all(paths.map((path) => open("bob", path)));
  const other = await open("alice", "/events");
  let isOpen = true;
  other.closed.then(() => isOpen = false);
  await world.post("bob", "/auth/logout");
  for (const reader of own) {
    while (!(await reader.read()).done);
  }
  assert.ok(isOpen);
  await other.cancel();
});
