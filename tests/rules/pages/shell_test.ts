import assert from "node:assert/strict";
import { PASSWORD } from "@/tests/support/world/cast.ts";
import { cookiesOf, fieldOf, htmlOf, titleOf } from "@/tests/support/basics/html.ts";
import { SHORTCUTS } from "@/lib/client/shortcuts/shortcuts.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const location = (response: Response) => response.headers.get("location");

Deno.test("People who are not signed in are asked to sign in, and then see the requested page", async () => {
  await using world = await newWorld();
  const wanted = `/project/${world.web.id}/history?status=error`;
  const sent = await world.get(null, wanted);
  assert.equal(sent.status, 303);
  assert.equal(location(sent), `/auth/login?next=${encodeURIComponent(wanted)}`);

  const html = await htmlOf(await world.get(null, location(sent)!));
  assert.equal(titleOf(html), "Sign in - Callboard");
  assert.match(fieldOf(html, "auth"), / autofocus/);
  assert.doesNotMatch(html, /<script[^>]* (src|type)=/, "it loads none");

  const entered = await world.post(null, location(sent)!, { auth: "alice", password: PASSWORD });
  assert.equal(entered.status, 303);
  assert.equal(location(entered), wanted);
  assert.ok(cookiesOf(entered).callboard);
});

Deno.test("People who are signed out while a form is open return to the form's page", async () => {
  await using world = await newWorld();
  const page = `/project/${world.web.id}/templates?t=7`;
  const send = (headers: Record<string, string>) =>
    world.request(`/project/${world.web.id}/tasks/7/stop`, {
      method: "POST",
      headers: { "Sec-Fetch-Site": "same-origin", ...headers },
    });
  const sent = await send({ Referer: `http://callboard.test${page}` });
  assert.equal(location(sent), `/auth/login?next=${encodeURIComponent(page)}`);
  const odd = await send({ Referer: "no address" });
  assert.equal(odd.status, 303);
});

Deno.test("A wrong password is reported in the form, and the name is kept", async () => {
  await using world = await newWorld();
  const answer = await world.post(null, "/auth/login", { auth: "alice", password: "wrong" });
  assert.equal(answer.status, 422);
  const html = await htmlOf(answer);
  assert.match(html, /role="alert"/);
  assert.match(fieldOf(html, "auth"), /value="alice"/);
  assert.doesNotMatch(html, /wrong"/, "what was typed as a password is not sent back");
  assert.deepEqual(cookiesOf(answer), {});
});

Deno.test("No one is sent to another site after signing in", async () => {
  await using world = await newWorld();
  for (const next of ["https://evil.example/", "//evil.example/", "/\\evil.example"]) {
    const path = `/auth/login?next=${encodeURIComponent(next)}`;
    const answer = await world.post(null, path, { auth: "alice", password: PASSWORD });
    assert.match(location(answer)!, /^\/(?![/\\])/);
  }
});

Deno.test("After a wrong password that field has the focus, and the name stays", async () => {
  await using world = await newWorld();
  const first = await htmlOf(await world.get(null, "/auth/login"));
  assert.match(fieldOf(first, "auth"), / autofocus/);
  const answer = await world.post(null, "/auth/login", { auth: "alice", password: "wrong" });
  const again = await htmlOf(answer);
  assert.doesNotMatch(fieldOf(again, "auth"), / autofocus/);
  assert.match(fieldOf(again, "auth"), /value="alice"/);
  assert.match(fieldOf(again, "password"), / autofocus/);
});

Deno.test("The sign-in page leads to the commands that let people in again, and back", async () => {
  await using world = await newWorld();
  const next = "?next=%2Faccount";
  assert.match(
    await htmlOf(await world.get(null, `/auth/login${next}`)),
    /<a href="\/auth\/help\?next=%2Faccount"/,
  );
  const html = await htmlOf(await world.get(null, `/auth/help${next}`));
  assert.match(html, /<a href="\/auth\/login\?next=%2Faccount"/);
  assert.match(html, /deno task user list/);
  assert.match(html, /deno task user password --login user123 --password [A-Za-z0-9]{10}</);
  assert.match(html, /deno task user add --admin --login user123 .* --password [A-Za-z0-9]{10}</);
});

Deno.test("Alice signs out, and her session is over", async () => {
  await using world = await newWorld();
  const out = await world.post("alice", "/auth/logout");
  assert.equal(location(out), "/auth/login");
  assert.equal(cookiesOf(out).callboard, "");
  assert.equal((await world.get("alice", `/project/${world.web.id}/history`)).status, 303);
});

Deno.test("The start leads to the project that was shown last, else to the first", async () => {
  await using world = await newWorld();
  assert.equal(location(await world.get("alice", "/")), `/project/${world.web.id}`);
  assert.equal(
    location(await world.get("alice", `/project/${world.web.id}`)),
    `/project/${world.web.id}/history`,
  );
  // Erin is an admin and sees both projects. "Lab" comes first by name.
  assert.equal(location(await world.get("erin", "/")), `/project/${world.lab.id}`);
  const seen = await world.get("erin", `/project/${world.web.id}/history`);
  assert.equal(cookiesOf(seen).project, String(world.web.id));
  const again = await world.request("/", {
    headers: { Cookie: `callboard=${world.people.erin.token}; project=${world.web.id}` },
  });
  assert.equal(location(again), `/project/${world.web.id}`);
});

Deno.test("People without a project are led to a new one, or see whom to ask", async () => {
  await using world = await newWorld();
  await world.api("alice", "DELETE", `/api/project/${world.web.id}`);
  assert.equal(location(await world.get("bob", "/")), "/project/new");
  const told = await htmlOf(await world.get("bob", "/project/new"));
  assert.match(told, /Ask an administrator/);
  assert.equal(fieldOf(told, "name"), "");
  assert.match(told, /You are not a member of any project yet/);
  assert.match(told, /Only administrators can create projects here/);
  assert.equal((await world.post("bob", "/project/new", { name: "Mine" })).status, 403);

  const member = await htmlOf(await world.get("dave", "/project/new"));
  assert.match(member, /Only administrators can create projects here/);
  assert.doesNotMatch(member, /not a member of any project/);
  const refused = await world.get("dave", "/project/restore");
  assert.equal(refused.status, 403);
  const page = await htmlOf(refused);
  assert.match(page, /Only administrators can create and restore projects on this server/);
  assert.doesNotMatch(page, /Your role in this project/);
});

Deno.test("The drawer names the project and the role, marks the page, and lists other projects", async () => {
  await using world = await newWorld();
  const html = await htmlOf(await world.get("alice", `/project/${world.web.id}/keys`));
  assert.match(html, /<strong[^>]*>Web shop<\/strong> ?<small[^>]*>Owner<\/small>/);
  assert.match(html, new RegExp(`href="/project/${world.web.id}/keys" aria-current="page"`));
  assert.doesNotMatch(html, /Lab</, "Alice is no member there");
  assert.match(await htmlOf(await world.get("erin", `/project/${world.web.id}/keys`)), /Lab</);
  assert.equal(html.match(/<h1/g)?.length, 1);
  assert.match(html, /<html lang="en">/);
  assert.match(html, /<main id="main"/);
});

Deno.test("Bob reads that he may run tasks, and Carol that she may only look", async () => {
  await using world = await newWorld();
  const path = `/project/${world.web.id}/history`;
  assert.match(await htmlOf(await world.get("bob", path)), /You can run any tasks/);
  assert.match(await htmlOf(await world.get("carol", path)), /You have read-only access/);
  assert.doesNotMatch(await htmlOf(await world.get("alice", path)), /read-only|can run any/);
});

Deno.test("Theme and language are kept by a plain form, and the page comes in them", async () => {
  await using world = await newWorld();
  const back = `/project/${world.web.id}/keys?x=1`;
  const dark = await world.post("alice", "/auth/preferences", { theme: "dark", back });
  assert.equal(location(dark), back);
  assert.equal(cookiesOf(dark).theme, "dark");

  const session = `callboard=${world.people.alice.token}`;
  const shown = await world.request(back, { headers: { Cookie: `${session}; theme=dark` } });
  assert.match(await htmlOf(shown), /<html lang="en" data-theme="dark">/);

  const system = await world.post("alice", "/auth/preferences", { theme: "system", back });
  assert.equal(cookiesOf(system).theme, "");
  const odd = await world.post("alice", "/auth/preferences", {
    theme: "pink",
    lang: "xx",
    back: "https://evil.example",
  });
  assert.equal(location(odd), "/");
  assert.deepEqual(cookiesOf(odd), {});
});

Deno.test("The result of an action is shown once, on the next page", async () => {
  await using world = await newWorld();
  const list = `/project/${world.web.id}/keys`;
  const saved = await world.post("mike", `${list}/new`, { name: "<b>Spare</b>", type: "none" });
  const { flash } = cookiesOf(saved);
  const session = `callboard=${world.people.mike.token}`;
  const next = await world.request(list, {
    headers: { Cookie: `${session}; flash=${encodeURIComponent(flash)}` },
  });
  assert.equal(cookiesOf(next).flash, "");
  assert.match(await htmlOf(next), /role="status".*Key &lt;b>Spare&lt;\/b> created/);

  for (const forged of ["{", '{"kind":"success","key":"app.name"}', '{"key":"flash.keys.saved"}']) {
    const page = await world.request(list, {
      headers: { Cookie: `${session}; flash=${encodeURIComponent(forged)}` },
    });
    assert.equal(page.status, 200);
    assert.doesNotMatch(await htmlOf(page), /class="flash/);
  }
});

Deno.test("Admins, and only they, read on every page that Ansible is missing", async () => {
  await using world = await newWorld({ deps: { ansibleVersion: null } });
  const path = `/project/${world.web.id}/keys`;
  assert.match(await htmlOf(await world.get("erin", path)), /Ansible was not found/);
  assert.doesNotMatch(await htmlOf(await world.get("alice", path)), /Ansible was not found/);
});

Deno.test("Pages that are not there, or not for Dave, look alike", async () => {
  await using world = await newWorld();
  const paths = ["/nowhere", `/project/${world.web.id}/history`, "/project/999/keys", "/project/x"];
  for (const path of paths) {
    const answer = await world.get("dave", path);
    assert.equal(answer.status, 404, path);
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.match(answer.headers.get("content-security-policy")!, /default-src 'none'/);
    const html = await htmlOf(answer);
    assert.equal(titleOf(html), "Page not found - Callboard");
    assert.match(html, /Refresh page/);
    assert.match(html, /Sign in again/);
  }
});

Deno.test("An error page keeps the drawer: of the project where that is known, and none for strangers", async () => {
  await using world = await newWorld();
  const inside = await htmlOf(await world.get("carol", `/project/${world.web.id}/templates/999`));
  assert.match(inside, /<h1>Page not found<\/h1>/);
  assert.match(inside, new RegExp(`<a href="/project/${world.web.id}/inventory"`));
  assert.match(inside, /<strong[^>]*>Web shop<\/strong>/);
  assert.match(inside, new RegExp(`<form method="get" action="/project/${world.web.id}/search"`));
  const outside = await htmlOf(await world.get("dave", `/project/${world.web.id}/keys`));
  assert.match(outside, /id="drawer"/);
  assert.doesNotMatch(outside, /Web shop/);
  assert.doesNotMatch(await htmlOf(await world.get(null, "/auth/nowhere")), /id="drawer"/);

  const { body } = await world.get("carol", `/project/${world.web.id}/templates/999`);
  assert.doesNotMatch(await new Response(body).text(), /<script/, "its policy allows none");
});

Deno.test("An error page comes also when the store cannot say what is beside it", async () => {
  await using world = await newWorld();
  const { list } = world.kv;
  world.kv.list = () => {
    throw new Error("The disk is gone.");
  };
  try {
    const answer = await world.get("erin", "/nowhere");
    assert.equal(answer.status, 404);
    const html = await htmlOf(answer);
    assert.match(html, /<h1>Page not found<\/h1>/);
    assert.doesNotMatch(html, /id="drawer"/);
  } finally {
    world.kv.list = list;
  }
});

Deno.test("Pages run and style only what is theirs", async () => {
  await using world = await newWorld();
  const paths = ["/account", `/project/${world.web.id}/environment/new`, "/nowhere"];
  for (const path of paths) {
    const { headers } = await world.get("mike", path);
    assert.doesNotMatch(headers.get("content-security-policy") ?? "unsafe", /unsafe|https?:/, path);
  }
});

Deno.test("A form that another site sends is refused, with a page that says so", async () => {
  await using world = await newWorld();
  const answer = await world.request("/auth/logout", {
    method: "POST",
    headers: {
      Cookie: `callboard=${world.people.alice.token}`,
      Origin: "https://evil.example",
      "Sec-Fetch-Site": "cross-site",
    },
  });
  assert.equal(answer.status, 403);
  assert.match(await htmlOf(answer), /<h1>Something went wrong<\/h1>/);
  assert.equal((await world.get("alice", `/project/${world.web.id}/history`)).status, 200);
});

Deno.test("Below a sub-path every address of a page has it in front", async () => {
  const url = new URL("https://ops.example.com/tools");
  await using world = await newWorld({ config: { basePath: "/tools", url } });
  const answer = await world.get("alice", `/tools/project/${world.web.id}/keys`);
  assert.equal(answer.status, 200);
  const html = await htmlOf(answer);
  for (const [, address] of html.matchAll(/ (?:href|action|src)="(\/[^"]*)"/g)) {
    assert.match(address, /^\/tools(\/|$)/);
  }
  assert.equal(location(await world.get(null, "/tools/")), "/tools/auth/login?next=%2F");
});

Deno.test("single keys are shortcuts until someone disables them, in this browser", async () => {
  await using world = await newWorld();
  const path = "/account/shortcuts";
  const shown = await htmlOf(await world.get("carol", path));
  assert.match(shown, /data-shortcuts="on"/);
  assert.match(shown, /<dt>Task Templates<\/dt>/);
  const off = await world.post("carol", "/auth/preferences", { shortcuts: "off", back: path });
  assert.deepEqual([off.status, off.headers.get("Location")], [303, path]);
  const { shortcuts } = cookiesOf(off);
  assert.equal(shortcuts, "off");
  const cookie = `callboard=${world.people.carol.token}; shortcuts=${shortcuts}`;
  const page = await htmlOf(await world.request(path, { headers: { cookie } }));
  assert.match(page, /data-shortcuts="off"/);
  assert.match(page, /Turn on single-key shortcuts/);
  const on = await world.post("carol", "/auth/preferences", { shortcuts: "on", back: path });
  assert.equal(cookiesOf(on).shortcuts, "");
});

Deno.test("The drawer marks the section that a page belongs to, also if its path names another", async () => {
  await using world = await newWorld();
  const project = `/project/${world.web.id}`;
  const sections: [page: string, section: string][] = [
    [`${project}/secret_storages`, "keys"],
    [`${project}/secret_storages/new`, "keys"],
    [`${project}/templates/${world.deploy.id}/drift`, "drift"],
    [`${project}/templates/${world.deploy.id}`, "templates"],
  ];
  for (const [path, section] of sections) {
    const html = await htmlOf(await world.get("alice", path));
    assert.deepEqual(
      [...html.matchAll(/aria-current="page" data-section="(\w+)"/g)].map(([, name]) => name),
      [section],
      path,
    );
  }
  const storages = await htmlOf(await world.get("alice", `${project}/secret_storages`));
  assert.match(storages, new RegExp(`class="tabs"[^]*?href="${project}/keys"[^>]*>Keys<`));
});

Deno.test("each section of a project has keys that lead to it, and they are listed", async () => {
  await using world = await newWorld();
  const html = await htmlOf(await world.get("alice", `/project/${world.web.id}/history`));
  const sections = [...html.matchAll(/data-section="(\w+)"/g)].map(([, section]) => section);
  const led = SHORTCUTS.flatMap(({ deed }) => "goes" in deed ? [deed.goes] : []);
  assert.deepEqual(led, sections, "in the order of the drawer");
  const keys = SHORTCUTS.map(({ keys }) => keys.join(" ")).filter((keys) => keys.startsWith("g "));
  assert.equal(new Set(keys).size, sections.length);
});

Deno.test("groups that this browser folds stay folded, except for the group of the page", async () => {
  await using world = await newWorld();
  const open = async (path: string, folded = "") => {
    const headers = { Cookie: `callboard=${world.people.alice.token}; folded=${folded}` };
    const html = await htmlOf(
      await world.request(`/project/${world.web.id}/${path}`, { headers }),
    );
    return [...html.matchAll(/<details(?=[^>]* open)[^>]* data-fold="(\w+)"/g)]
      .map(([, group]) => group);
  };
  assert.deepEqual(await open("history"), ["run", "fleet", "set_up"]);
  assert.deepEqual(await open("history", "run.set_up"), ["fleet"]);
  assert.deepEqual(await open("keys", "run.set_up"), ["fleet", "set_up"]);
});
