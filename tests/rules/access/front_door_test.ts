import assert from "node:assert/strict";
import { PASSWORD } from "@/tests/support/world/cast.ts";
import { newWorld } from "@/tests/support/world/world.ts";

const board = { url: new URL("https://callboard.example/board"), basePath: "/board" };

Deno.test("whatever is handed around as the next page, signing in leads below the sub-path", async () => {
  await using world = await newWorld({ config: board });
  const nexts = [
    "/../..",
    "/..",
    "/%2e%2e/",
    "//evil.example",
    "/\\evil.example",
    "/.//evil.example",
  ];
  for (
    const next of [
      ...nexts,
      "/\u2028",
      "/\ud800",
      "/\0",
      "/\t/evil.example",
      "/" + "a".repeat(9000),
    ]
  ) {
    const query = new URLSearchParams({ next });
    const form = { auth: "bob", password: PASSWORD };
    const answers = [
      await world.get("bob", `/board/auth/login?${query}`),
      await world.post(null, `/board/auth/login?${query}`, form),
      await world.post("bob", "/board/auth/preferences", { theme: "dark", back: next }),
    ];
    for (const { status, headers } of answers) {
      assert.equal(status, 303, next);
      const { href } = new URL(
        headers.get("location")!,
        "https://callboard.example/board/auth/login",
      );
      assert.ok(href.startsWith("https://callboard.example/board/"), `${next}: ${href}`);
    }
  }
});

Deno.test("a foreign Host gets into no link, address or redirect of a server that knows its own", async () => {
  await using world = await newWorld({ config: board });
  const { token } = world.people.alice;
  const ask = async (method: string, path: string) => {
    const { status, headers, body } = await world.request(`http://evil.example/board${path}`, {
      method,
      headers: { Cookie: `callboard=${token}`, Host: "evil.example" },
      body: method === "POST" ? "{}" : undefined,
    }).then(async (response) => ({
      status: response.status,
      headers: [...response.headers].join(),
      body: await response.text(),
    }));
    assert.ok(status < 400, `${status} ${path}`);
    assert.doesNotMatch(headers + body, /evil\.example/, path);
    return body;
  };
  const project = `/project/${world.web.id}`;
  const { url } = JSON.parse(await ask("POST", `/api${project}/integrations/aliases`));
  assert.match(url, /^https:\/\/callboard\.example\/board\/api\/integrations\//);
  for (const path of ["/", "/api/info", "/api/openapi.json", "/account", "/auth/login"]) {
    await ask("GET", path);
  }
  for (const path of ["integrations", "history", "settings", "team", "templates"]) {
    await ask("GET", `${project}/${path}`);
  }
});

Deno.test("a percent sign that escapes nothing is a part of a name that nothing has", async () => {
  await using world = await newWorld();
  for (const escape of ["%", "%f", "%ff", "%C3%28", "%E0%A4%A", "a%zz/%41"]) {
    const page = await world.get("bob", `/project/${escape}`);
    assert.equal(page.status, 404, escape);
    assert.match(await page.text(), /<h1/, escape);
    for (
      const path of [`/api/project/${escape}/keys`, `/api/project/${world.web.id}/keys/${escape}`]
    ) {
      const { status, body } = await world.api("bob", "GET", path);
      assert.ok(status === 400 || status === 404, `${path}: ${status}`);
      assert.equal(typeof body.error, "string");
    }
  }
  assert.deepEqual(world.log.filter(({ level }) => level === "error"), []);
});
