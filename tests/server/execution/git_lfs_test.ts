import assert from "node:assert/strict";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { hasGitLfs, serveLfs } from "@/tests/support/services/lfs_server.ts";
import { proveOnBoth, type RunBench } from "@/tests/support/server/run_bench.ts";
import { planOf, showBench } from "@/tests/support/server/show_bench.ts";
import { conceal } from "@/lib/base/secret.ts";
import type { PlanKey, RepositoryPlan } from "@/lib/execution/run/plan.ts";
import { pruneMirrors } from "@/lib/execution/git/mirror.ts";
import { credentialSite } from "@/lib/execution/git/credential_site.ts";

const ATTRIBUTES = "*.bin filter=lfs diff=lfs merge=lfs -text\n";
const ignore = !await hasGitLfs();

const key = (login: string): PlanKey => ({
  type: "login_password",
  login,
  password: conceal(`${login}'s secret`),
});

/** Commits a pointer to a text that the server has, with the address of the server. */
async function addLargeFile(
  { repository }: RunBench,
  server: ReturnType<typeof serveLfs>,
  text: string,
  config = `[lfs]\n\turl = ${server.url}\n`,
) {
  const pointer = await server.add(text);
  await repository.commit(
    {
      ".gitattributes": ATTRIBUTES,
      ".lfsconfig": config,
      "version": "plain\n",
      "a/b.bin": pointer,
    },
    "Large file",
  );
}

/** Finds the files of Git LFS below a folder. */
async function* expandObjects(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* expandObjects(path);
    else if (path.includes("/lfs/objects/")) yield path;
  }
}

/** Shows the files that a play would copy to hosts. */
async function showLarge(bench: RunBench) {
  const show = "#!/bin/sh\nfind . -name '*.bin' -exec cat {} +\n";
  await Deno.writeTextFile(bench.environment.ansible.playbook, show, { mode: 0o755 });
}

proveOnBoth("files of Git LFS come with the credentials of their server, once", async (on) => {
  await using bench = await showBench(on);
  await showLarge(bench);
  await using server = serveLfs("bob", "bob's secret");
  await addLargeFile(bench, server, "large by lfs\n");
  const site = credentialSite("url", server.url)!;
  const run = (plan: Partial<RepositoryPlan>) => bench.run(planOf(bench, plan));
  const credentials = [{ name: "LFS", site, key: key("bob") }];
  const ran = await run({ credentials });
  assert.match(ran.log, /^large by lfs$/m);
  assert.equal(server.downloads, 1);
  assert.match((await run({ credentials })).log, /^large by lfs$/m);
  assert.equal(server.downloads, 1, "it stays beside the mirror");
  const { dataDir } = bench.environment;
  await pruneMirrors(dataDir);
  const objects = await Array.fromAsync(expandObjects(`${dataDir}/repositories`));
  assert.equal(objects.length, 1, "it is not old");
  await Deno.utime(objects[0], new Date(0), new Date(0));
  await pruneMirrors(dataDir);
  assert.match((await run({ credentials })).log, /^large by lfs$/m);
  assert.equal(server.downloads, 2);

  await bench.repository.commit({ "a/c.bin": await server.add("another\n") }, "Another");
  for (const wrong of [[], [{ name: "LFS", site, key: key("eve") }]]) {
    const { started, reason, log } = await run({ credentials: wrong });
    assert.equal(started, false, log);
    assert.deepEqual(reason, {
      key: "errors.run.lfs_credentials",
      params: { host: new URL(server.url).host, branch: "main" },
    }, log);
    assert.doesNotMatch(log, /secret/);
  }
}, { ignore });

Deno.test("files of Git LFS in submodules come, too", { ignore }, async () => {
  await using bench = await showBench();
  await showLarge(bench);
  await using server = serveLfs();
  const library = await newGitRepository(`${bench.directory}/library`);
  const config = `[lfs]\n\turl = ${server.url}\n`;
  const large = await server.add("large in a submodule\n");
  await library.commit({ ".gitattributes": ATTRIBUTES, ".lfsconfig": config, "x.bin": large }, "L");
  await bench.repository.git("submodule", "--quiet", "add", library.url, "sub");
  await bench.repository.commit({}, "Use the library");
  const ran = await bench.run(planOf(bench, {}));
  assert.match(ran.log, /^large in a submodule$/m);
});

Deno.test("a run whose files of Git LFS are missing ends before its play", { ignore }, async () => {
  await using bench = await showBench();
  await using server = serveLfs();
  const reasonOf = async (config: string) => {
    await addLargeFile(bench, server, `text ${crypto.randomUUID()}\n`, config);
    const { started, reason, log } = await bench.run(planOf(bench, {}));
    return started ? "started" : `${reason?.key} ${log}`;
  };
  const lfs = `[lfs]\n\turl = ${server.url}\n`;
  assert.equal(await reasonOf(`${lfs}\tfetchexclude = *\n`), "started");
  const { repository } = bench;
  const pointer = (await server.add("x")).replace(/sha256:\w{8}/, "sha256:00000000");
  await repository.commit({ "gone.bin": pointer }, "Gone");
  const gone = await bench.run(planOf(bench, {}));
  assert.deepEqual([gone.started, gone.reason?.key], [false, "errors.run.lfs_failed"], gone.log);
  await repository.commit({ ".lfsconfig": `${lfs}\tskipdownloaderrors = true\n` }, "Skip");
  const skipped = await bench.run(planOf(bench, {}));
  assert.deepEqual([skipped.started, skipped.reason?.key], [false, "errors.run.lfs_failed"]);
  await repository.git("rm", "--quiet", "gone.bin");
  for (const url of ["file:///srv/other", "/srv/other", "FILE:///srv"]) {
    assert.match(await reasonOf(`[lfs]\n\turl = ${url}\n`), /^errors\.run\.lfs_address/);
  }
});

Deno.test("pointers do not reach hosts where git-lfs is not installed, and other files do", async () => {
  await using bench = await showBench();
  const bin = `${bench.directory}/bin`;
  await Deno.mkdir(bin);
  for (const folder of bench.environment.path.split(":")) {
    for await (const { name } of await readFolder(folder)) {
      if (name !== "git-lfs") {
        await Deno.symlink(`${folder}/${name}`, `${bin}/${name}`).catch(() => {});
      }
    }
  }
  bench.environment.path = bin;
  const { repository } = bench;
  // Texts that look like pointers are not those of Git LFS without the attribute.
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${
    "0".repeat(64)
  }\nsize 1\n`;
  await repository.commit({ ".gitattributes": ATTRIBUTES, "pointer.txt": pointer }, "No pointers");
  assert.equal((await bench.run(planOf(bench, {}))).end, "success");
  await repository.commit({ "a.bin": pointer }, "A pointer");
  const { started, reason, log } = await bench.run(planOf(bench, {}));
  assert.deepEqual([started, reason?.key], [false, "errors.run.lfs_missing"], log);
});

const readFolder = (path: string) =>
  Array.fromAsync(Deno.readDir(path)).catch((): Deno.DirEntry[] => []);
