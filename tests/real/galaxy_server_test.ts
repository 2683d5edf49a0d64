import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { conceal } from "../../lib/base/secret.ts";
import { findAnsible } from "../../lib/execution/ansible/installation.ts";
import { noIsolation } from "../../lib/execution/process/isolation.ts";
import { newRunBench } from "../support/run_bench.ts";

const ansible = await findAnsible({
  dataDir: fileURLToPath(new URL("../../data", import.meta.url)),
  isolation: noIsolation,
  path: Deno.env.get("PATH")!,
  variables: {},
});

const TOKEN = "galaxy-token-2f7d";

/** Builds the collection alice.things, and returns its archive. */
async function newCollection(directory: string, galaxy: string): Promise<Uint8Array<ArrayBuffer>> {
  const source = `${directory}/collection`;
  await Deno.mkdir(`${source}/roles/inner/tasks`, { recursive: true });
  await Deno.writeTextFile(
    `${source}/galaxy.yml`,
    "namespace: alice\nname: things\nversion: 1.0.0\nreadme: README.md\nauthors: [Alice]\n",
  );
  await Deno.writeTextFile(`${source}/README.md`, "Things\n");
  await Deno.writeTextFile(
    `${source}/roles/inner/tasks/main.yml`,
    `- debug: { msg: "hello from the private server" }\n`,
  );
  const { success } = await new Deno.Command(galaxy, {
    args: ["collection", "build", source, "--output-path", directory],
    stdout: "null",
    stderr: "null",
  }).output();
  assert.ok(success);
  return await Deno.readFile(`${directory}/alice-things-1.0.0.tar.gz`);
}

/** A Galaxy server with one collection, as Automation Hub serves it, for holders of the token. */
function serveGalaxy(archive: Uint8Array<ArrayBuffer>) {
  const refused: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (req) => {
    const { pathname, origin } = new URL(req.url);
    if (req.headers.get("Authorization") !== `Token ${TOKEN}`) {
      refused.push(pathname);
      return Response.json({ errors: [{ title: "Not authenticated" }] }, { status: 401 });
    }
    const collection = "/api/v3/collections/alice/things/";
    const version = `${collection}versions/1.0.0/`;
    const answers: Record<string, unknown> = {
      "/api/": { available_versions: { v3: "v3/" } },
      [collection]: { namespace: "alice", name: "things" },
      [`${collection}versions/`]: {
        meta: { count: 1 },
        links: { next: null },
        data: [{ version: "1.0.0", href: version }],
      },
      [version]: {
        namespace: { name: "alice" },
        collection: { name: "things" },
        name: "things",
        version: "1.0.0",
        href: version,
        download_url: `${origin}/things.tar.gz`,
        artifact: { sha256: createHash("sha256").update(archive).digest("hex") },
        metadata: { dependencies: {} },
        signatures: [],
      },
    };
    if (pathname === "/things.tar.gz") return new Response(archive);
    const answer = answers[pathname];
    return answer ? Response.json(answer) : new Response(null, { status: 404 });
  });
  return {
    refused,
    url: `http://127.0.0.1:${server.addr.port}/api/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test({
  name: "the secret token of a private Galaxy server reaches the requirements of a run",
  ignore: !ansible,
  async fn() {
    await using bench = await newRunBench();
    Object.assign(bench.environment.ansible, ansible);
    bench.environment.timeLimits.galaxyMs = 60_000;
    const archive = await newCollection(bench.directory, bench.environment.ansible.galaxy);
    await using galaxy = serveGalaxy(archive);
    await bench.repository.commit({
      "requirements.yml": "collections: [alice.things]\n",
      "site.yml": "- hosts: localhost\n  gather_facts: false\n  roles: [alice.things.inner]\n",
    }, "Use a private collection");
    const run = (token: string) =>
      bench.run(bench.plan({
        env: {
          ANSIBLE_GALAXY_SERVER_LIST: "private",
          ANSIBLE_GALAXY_SERVER_PRIVATE_URL: galaxy.url,
        },
        secretEnv: { ANSIBLE_GALAXY_SERVER_PRIVATE_TOKEN: conceal(token) },
      }));
    const wrong = await run("another token");
    assert.equal(wrong.reason?.key, "errors.run.galaxy_failed", wrong.log);
    assert.ok(galaxy.refused.length > 0);
    galaxy.refused.length = 0;
    const { end, log } = await run(TOKEN);
    assert.equal(end, "success", log);
    assert.match(log, /hello from the private server/);
    assert.deepEqual(galaxy.refused, []);
    assert.doesNotMatch(log, new RegExp(TOKEN));
  },
});
