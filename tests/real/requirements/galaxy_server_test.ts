import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import { conceal } from "@/lib/base/secret.ts";
import type { ToolchainPlan } from "@/lib/execution/ansible/plan.ts";
import { findAnsible } from "@/lib/execution/ansible/installation.ts";
import { noIsolation } from "@/lib/execution/process/isolation.ts";
import { findUv } from "@/tests/support/programs/published.ts";
import { reachesPypi } from "@/tests/support/programs/pypi.ts";
import {
  newRunBench,
  proveOnBoth,
  type RunsOn,
  STAND_IN,
} from "@/tests/support/server/run_bench.ts";
import { withSharedPip } from "@/tests/support/programs/shared_pip.ts";
import { makeWheels } from "@/tests/support/services/wheels.ts";

const ansible = await findAnsible({
  dataDir: fileURLToPath(new URL("../../../data", import.meta.url)),
  isolation: noIsolation,
  path: Deno.env.get("PATH")!,
  variables: {},
});

const TOKEN = "galaxy-token-2f7d";
const THINGS = { name: "things", version: "1.0.0" };

/** A collection to build, with ranges of those that it needs. */
interface Source {
  name: string;
  version: string;
  needs?: Record<string, string>;
}

/** Builds collections of alice in one run, and leaves their archives in the folder. */
async function buildCollections(directory: string, galaxy: string, sources: Source[]) {
  const write = async ({ name, version, needs = {} }: Source) => {
    const source = `${directory}/${name}-${version}`;
    await Deno.mkdir(`${source}/roles/inner/tasks`, { recursive: true });
    const about = { namespace: "alice", name, version, dependencies: needs };
    await Deno.writeTextFile(
      `${source}/galaxy.yml`,
      JSON.stringify({ ...about, readme: "README.md", authors: ["Alice"] }),
    );
    await Deno.writeTextFile(`${source}/README.md`, "Things\n");
    await Deno.writeTextFile(
      `${source}/roles/inner/tasks/main.yml`,
      `- debug: { msg: "hello from the private server" }\n`,
    );
    return source;
  };
  const folders = await Promise.all(sources.map(write));
  await command(galaxy, ["collection", "build", ...folders, "--output-path", directory]);
}

let things: Promise<string> | null = null;
Deno.test.afterAll(async () => {
  if (things) await Deno.remove(dirname(await things), { recursive: true });
});

/** Returns the path of an archive of the things, which the tests share. */
function archiveOfThings(): Promise<string> {
  things ??= (async () => {
    const directory = await Deno.makeTempDir({ prefix: "things_" });
    await buildCollections(directory, ansible!.galaxy, [THINGS]);
    return join(directory, "alice-things-1.0.0.tar.gz");
  })();
  return things;
}

async function command(program: string, args: string[], env: Record<string, string> = {}) {
  const { success, stdout, stderr } = await new Deno.Command(program, { args, env }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
  return stdout;
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
        download_url: `${origin}/download/alice-things-1.0.0.tar.gz`,
        artifact: { sha256: createHash("sha256").update(archive).digest("hex") },
        metadata: { dependencies: {} },
        signatures: [],
      },
    };
    if (pathname.startsWith("/download/")) return new Response(archive);
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
    const archive = await Deno.readFile(await archiveOfThings());
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
    // No version is asked for, so the output says which one it is.
    assert.match(log, /^ {2}alice\.things 1\.0\.0$/m);
    assert.deepEqual(galaxy.refused, []);
    assert.doesNotMatch(log, new RegExp(TOKEN));
  },
});

/**
 * A bench whose toolchains have the real ansible-galaxy, and a stand-in of ansible-playbook. They
 * are built with the real uv on the server, if it can be fetched, and else as on the machine.
 */
async function newGalaxyBench(on: RunsOn = "server") {
  const bench = await newRunBench(on);
  const { directory, environment } = bench;
  const { galaxy, version } = ansible!;
  const wheels = join(directory, "wheels");
  const calls = join(directory, "calls");
  const script = join(directory, "ansible.sh");
  await Deno.writeTextFile(
    script,
    `printf '%s\\n' "$*" >>'${calls}'
[ "$1" = collection ] && exec '${galaxy}' "$@"
exec '${STAND_IN}' "$@"
`,
  );
  const module = /^ +ansible python module location = (\S*\/python(3\.\d+)\S*)\/ansible$/m;
  const [, library, python] = module.exec(version)!;
  await makeWheels(wheels, ["2.16.14"], script, library);
  environment.packages.wheels = wheels;
  const uv = on === "server" ? await findUv() : null;
  environment.path = uv
    ? `${uv}:${environment.path}`
    : await withSharedPip(join(directory, "python"), environment.path);
  environment.timeLimits.galaxyMs = 600_000;
  const toolchain: ToolchainPlan = {
    name: "Private",
    kind: "built",
    ansibleCore: "2.16",
    pip: [],
    collections: ["alice.things"],
    python,
    path: "",
  };
  const run = (changes: Partial<ToolchainPlan>) =>
    bench.run(bench.plan({ toolchain: { ...toolchain, ...changes } }));
  return { ...bench, galaxy, calls: () => Deno.readTextFile(calls), run };
}

/** Returns the texts of all files below a folder. */
async function textsBelow(folder: string): Promise<string> {
  return new TextDecoder("latin1").decode(await command("grep", ["-rah", "", folder]));
}

/** Returns the versions of alice's collections in the only toolchain that was built. */
async function installed(dataDir: string): Promise<string[]> {
  const paths = await command("find", [
    dataDir,
    "-path",
    "*/ansible_collections/alice/*/MANIFEST.json",
  ]);
  const manifests = new TextDecoder().decode(paths).trim().split("\n").filter(Boolean);
  const texts = await Promise.all(manifests.map((path) => Deno.readTextFile(path)));
  return texts.map((text) => {
    const { name, version } = JSON.parse(text).collection_info;
    return `${name} ${version}`;
  }).toSorted();
}

proveOnBoth(
  "the collections of a toolchain come from a private server, and its token stays nowhere",
  async (on) => {
    await using bench = await newGalaxyBench(on);
    const { environment: { dataDir, packages } } = bench;
    const archive = await Deno.readFile(await archiveOfThings());
    await using server = serveGalaxy(archive);
    const galaxy = { url: server.url, owner: 1 };
    const wrong = await bench.run({ galaxy: { ...galaxy, token: conceal("another token") } });
    assert.equal(wrong.reason?.key, "errors.run.toolchain_failed", wrong.log);
    assert.match(String(wrong.reason.params?.said), /alice\.things|401|auth/i);
    server.refused.length = 0;
    const { end, log } = await bench.run({ galaxy: { ...galaxy, token: conceal(TOKEN) } });
    assert.equal(end, "success", log);
    // A runner uses the uv of the machine, if there is one.
    if (on === "server" && await reachesPypi()) assert.match(log, / with uv and Python /);
    assert.deepEqual(await installed(dataDir), ["things 1.0.0"]);
    assert.deepEqual(server.refused, []);
    for (const text of [log, wrong.log, await bench.calls(), await textsBelow(dataDir)]) {
      assert.doesNotMatch(text, new RegExp(`${TOKEN}|another token`));
    }
    // Another token changes nothing, but another project must prove that it may have them.
    const same = await bench.run({ galaxy: { ...galaxy, token: conceal("new token") } });
    assert.doesNotMatch(same.log, /Building/);
    const other = await bench.run({ galaxy: { ...galaxy, owner: 2, token: conceal("a guess") } });
    assert.equal(other.reason?.key, "errors.run.toolchain_failed", other.log);
    // The setting of the machine serves toolchains without a server of their own.
    packages.galaxy = { url: server.url, token: conceal(TOKEN) };
    const shared = await bench.run({});
    assert.equal(shared.end, "success", shared.log);
    assert.match(shared.log, /Building/);
  },
  { ignore: !ansible },
);

Deno.test({
  name: "a folder of archives replaces the network, and what is missing is named",
  ignore: !ansible,
  async fn() {
    await using bench = await newGalaxyBench();
    const { directory, environment: { dataDir, packages } } = bench;
    const folder = join(directory, "archives");
    await Deno.mkdir(folder);
    const sources: Source[] = [
      { name: "things", version: "1.0.0", needs: { "alice.base": ">=1.0.0,<2.0.0" } },
      { name: "things", version: "2.0.0", needs: { "alice.absent": ">=5.0.0" } },
      { name: "base", version: "1.9.0" },
      { name: "base", version: "1.10.0" },
      { name: "base", version: "2.0.0" },
      { name: "base", version: "1.11.0-beta.1" },
    ];
    await buildCollections(folder, bench.galaxy, sources);
    packages.collections = folder;
    // Nothing answers there.
    bench.environment.variables = { https_proxy: "http://127.0.0.1:9" };
    const { end, reason, log } = await bench.run({});
    assert.equal(end, "success", JSON.stringify(reason) + log);
    assert.deepEqual(await installed(dataDir), ["base 1.10.0", "things 1.0.0"]);
    for (
      const [line, missing] of [
        ["alice.things:2.0.0", "alice.absent:>=5.0.0 for alice.things 2.0.0"],
        ["bob.other", "bob.other:*"],
      ]
    ) {
      const { reason } = await bench.run({ collections: [line] });
      assert.equal(reason?.key, "errors.run.toolchain_failed");
      const said = `ERROR: ${folder} has no suitable archive of ${missing}`;
      assert.equal(reason.params?.said, said);
    }
  },
});

Deno.test({
  name: "signatures of collections are verified, from a server and from a folder",
  ignore: !ansible,
  async fn() {
    await using bench = await newGalaxyBench();
    const { directory, environment: { packages } } = bench;
    const archive = await archiveOfThings();
    const signature = await sign(directory, archive);
    packages.keyring = signature.keyring;
    await using server = serveGalaxy(await Deno.readFile(archive));
    packages.galaxy = { url: server.url, token: conceal(TOKEN) };
    const bundle = join(directory, "bundle");
    // As docs/toolchains.md says.
    await command(bench.galaxy, ["collection", "download", "alice.things", "-p", bundle], {
      ANSIBLE_GALAXY_SERVER_LIST: "hub",
      ANSIBLE_GALAXY_SERVER_HUB_URL: server.url,
      ANSIBLE_GALAXY_SERVER_HUB_TOKEN: TOKEN,
    });
    for (const folder of [null, bundle]) {
      packages.collections = folder;
      for (const [proof, end] of [[signature.good, "success"], [signature.bad, "error"]] as const) {
        const ran = await bench.run({
          // Different lines, so that each is built.
          pip: [`more==1.0${folder ? "" : ".0"}`],
          collections: [`alice.things signature=file://${proof}`],
        });
        assert.equal(ran.end, end, JSON.stringify(ran.reason));
        if (end === "error") assert.match(String(ran.reason?.params?.said), /signature/i);
      }
    }
  },
});

/** Signs the manifest of an archive, and another text. */
async function sign(directory: string, archive: string) {
  const home = { GNUPGHOME: await Deno.makeTempDir({ dir: directory }) };
  const gpg = (...args: string[]) => command("gpg", ["--batch", "--quiet", ...args], home);
  const keyring = join(directory, "keyring.gpg");
  await gpg("--passphrase", "", "--quick-generate-key", "alice@example.com", "ed25519", "sign");
  await gpg("--output", keyring, "--export");
  await command("tar", ["-xzf", archive, "-C", directory, "MANIFEST.json"]);
  const signed = async (file: string) => {
    await gpg("--armor", "--detach-sign", join(directory, file));
    return join(directory, `${file}.asc`);
  };
  await Deno.writeTextFile(join(directory, "other"), "another text");
  return { keyring, good: await signed("MANIFEST.json"), bad: await signed("other") };
}
