import assert from "node:assert/strict";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { proveOnBoth, type RunsOn } from "@/tests/support/server/run_bench.ts";
import { planOf, showBench } from "@/tests/support/server/show_bench.ts";
import { remoteCommit } from "@/lib/execution/git/remote_commit.ts";

Deno.test("the latest commit of the branch is run, and recorded", async () => {
  await using bench = await showBench();
  const hash = await bench.repository.commit({ version: "two\n" }, "Second\n\nwith more words");
  const ran = await bench.run(planOf(bench, {}));
  assert.equal(ran.end, "success", ran.log);
  assert.deepEqual(ran.commit, { hash, message: "Second" });
  assert.match(ran.log, /^two\nSecond$/m);

  await bench.repository.commit({ version: "three\n" }, "Third");
  assert.match((await bench.run(planOf(bench, {}))).log, /^three\nThird$/m);
});

Deno.test("a plan with a commit gets that one, also when it is not in the mirror yet", async () => {
  await using bench = await showBench();
  const old = await bench.repository.commit({ version: "old\n" }, "Old");
  await bench.repository.commit({ version: "new\n" }, "New");
  assert.match((await bench.run(planOf(bench, { commit: old }))).log, /^old\nOld$/m);
  assert.match((await bench.run(planOf(bench, {}))).log, /^new\nNew$/m);
  assert.match((await bench.run(planOf(bench, { commit: old }))).log, /^old\nOld$/m);

  const { reason } = await bench.run(planOf(bench, { commit: "0".repeat(40) }));
  assert.equal(reason?.key, "errors.run.commit_missing");
});

Deno.test("a commit that someone asked for is run only if it is of the plan's branch", async () => {
  await using bench = await showBench();
  const { repository } = bench;
  const old = await repository.commit({ version: "old\n" }, "Old");
  await repository.git("checkout", "--quiet", "-b", "secret");
  const secret = await repository.commit({ version: "secret\n" }, "Secret");
  await repository.git("checkout", "--quiet", "main");
  const newest = await repository.commit({ version: "new\n" }, "New");
  const ask = (commit: string, branch = "main") =>
    bench.run(planOf(bench, { commit, branch, ofBranch: true }));

  assert.match((await ask(newest)).log, /^new\nNew$/m);
  assert.match((await ask(old)).log, /^old\nOld$/m);
  assert.equal((await ask(old.slice(0, 9))).commit?.hash, old, "a short hash, too");
  // The second time the commit is in the mirror, fetched by a run of its own branch.
  for (let n = 0; n < 2; n++) {
    const { reason, started, log } = await ask(secret);
    assert.equal(started, false);
    assert.deepEqual(reason, {
      key: n === 0 ? "errors.run.commit_missing" : "errors.run.commit_not_of_branch",
      params: { commit: secret, branch: "main" },
    }, log);
    assert.match((await ask(secret, "secret")).log, /^secret\nSecret$/m);
  }
  assert.match((await bench.run(planOf(bench, {}))).log, /^new\nNew$/m);

  // Holds no matter whether a preview, a build or a person chose the commit.
  for (const ofBranch of [true, false]) {
    const folder = { url: repository.path, branch: null, commit: old, ofBranch };
    const inPlace = await bench.run(planOf(bench, folder));
    assert.equal(inPlace.started, false);
    assert.deepEqual(inPlace.reason, {
      key: "errors.run.commit_of_folder",
      params: { path: repository.path, commit: old },
    });
  }
});

Deno.test("parallel runs of one repository each get their own commit", async () => {
  await using bench = await showBench();
  const commits = [];
  for (const version of ["a", "b", "c", "d"]) {
    commits.push(await bench.repository.commit({ version: `${version}!\n` }, version));
  }
  const runs = await Promise.all(commits.map((commit) => bench.run(planOf(bench, { commit }))));
  assert.deepEqual(runs.map((ran) => ran.log.match(/^(.)!$/m)?.[1]), ["a", "b", "c", "d"]);
});

Deno.test("a broken mirror is created anew", async () => {
  await using bench = await showBench();
  await bench.run(planOf(bench, {}));
  const folder = `${bench.environment.dataDir}/repositories/1/1`;
  const { directory } = JSON.parse(await Deno.readTextFile(`${folder}/current`));
  await Deno.writeTextFile(`${folder}/${directory}/shallow.lock`, "");
  await bench.repository.commit({ version: "after\n" }, "After");
  const ran = await bench.run(planOf(bench, {}));
  assert.match(ran.log, /^after\nAfter$/m);
});

Deno.test("submodules come along", async () => {
  await using bench = await showBench();
  const library = await newGitRepository(`${bench.directory}/library`);
  await library.commit({ "lib.txt": "old library\n" }, "Library");
  await bench.repository.git("submodule", "--quiet", "add", library.url, "sub");
  await bench.repository.commit({}, "Use the library");
  await library.commit({ "lib.txt": "new library\n" }, "Not used yet");
  const ran = await bench.run(planOf(bench, {}));
  assert.equal(ran.end, "success", ran.log);
  assert.match(ran.log, /^old library$/m);

  await Deno.remove(library.path, { recursive: true });
  const gone = await bench.run(planOf(bench, {}));
  assert.equal(gone.reason?.key, "errors.run.submodules_failed", gone.log);
  assert.match(gone.log, /Failed updating repository.*\n(.*\n)*.*library' does not appear to be/);
});

Deno.test("a missing branch ends in a sentence that names it", async () => {
  await using bench = await showBench();
  const ran = await bench.run(planOf(bench, { branch: "nowhere" }));
  assert.equal(ran.reason?.key, "errors.run.branch_missing");
  assert.equal(ran.reason?.params?.branch, "nowhere");
  assert.match(ran.log, /Failed updating repository .*nowhere/);
});

Deno.test("an address that git could take for something else is refused", async () => {
  await using bench = await showBench();
  for (const url of ["--upload-pack=touch /tmp/x", "ext::sh -c id", "gopher://host/x", "host"]) {
    assert.throws(() => planOf(bench, { url }), { key: "errors.run.repository_url" });
  }
  const unreachable = await bench.run(planOf(bench, { url: "git://127.0.0.1:1/x" }));
  assert.equal(unreachable.reason?.key, "errors.run.repository_unreachable", unreachable.log);
  const missing = await bench.run(planOf(bench, { url: "file:///no/such/repository" }));
  assert.equal(missing.reason?.key, "errors.run.repository_missing", missing.log);
});

Deno.test("a scheme in capitals is the same scheme", async () => {
  await using bench = await showBench();
  await bench.repository.commit({ version: "capitals\n" }, "Capitals");
  const url = bench.repository.url.replace(/^file:/, "FILE:");
  assert.match(url, /^FILE:/);
  const ran = await bench.run(planOf(bench, { url }));
  assert.equal(ran.end, "success", ran.log);
  assert.match(ran.log, /^capitals$/m);
  for (const url of ["GIT://127.0.0.1:1/x", "SSH://127.0.0.1:1/x", "HTTPS://127.0.0.1:1/x"]) {
    const { reason, log } = await bench.run(planOf(bench, { url }));
    assert.equal(reason?.key, "errors.run.repository_unreachable", log);
  }
});

Deno.test("a folder is used in place", async () => {
  await using bench = await showBench();
  const folder = `${bench.directory}/folder`;
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/site.yml`, "");
  await Deno.writeTextFile(`${folder}/version`, "in place\n");
  const ran = await bench.run(planOf(bench, { url: folder, branch: null }));
  assert.equal(ran.commit, null);
  assert.match(ran.log, /^in place$/m);
  const { reason } = await bench.run(planOf(bench, { url: `${folder}/none`, branch: null }));
  assert.equal(reason?.key, "errors.run.folder_missing");
});

/** A bench whose data folder has the mirror of another project. */
async function benchWithMirror(on?: RunsOn) {
  const bench = await showBench(on);
  await bench.run(planOf(bench, {}));
  const { dataDir } = bench.environment;
  const [project] = Deno.readDirSync(`${dataDir}/repositories`);
  const [repository] = Deno.readDirSync(`${dataDir}/repositories/${project!.name}`);
  const folder = `${dataDir}/repositories/${project!.name}/${repository!.name}`;
  const { name } = [...Deno.readDirSync(folder)].find(({ name }) => name.endsWith(".git"))!;
  return { bench, mirror: `${folder}/${name}`, folder, name };
}

const IN_DATA = "errors.run.repository_in_data";

proveOnBoth("files in the data folder are not a repository", async (on) => {
  const { bench, mirror, folder, name } = await benchWithMirror(on);
  await using _ = bench;
  const { directory, repository, environment: { dataDir } } = bench;
  const link = `${directory}/link`;
  await Deno.symlink(folder, link);
  await Deno.writeTextFile(`${dataDir}/runner.json`, "{}");
  const files = [
    mirror,
    mirror.replace(/\.git$/, "/"),
    mirror.replace("repositories", "%72epositories"),
    mirror.replace("repositories", "tasks/../repositories"),
    `${link}/${name}`,
    `/proc/self/root${mirror}`,
    dataDir,
  ].map((path) => `file://${path}`);
  // A folder that is used in place has files that a playbook can name.
  for (const url of [...files, dataDir, `${dataDir}/`, folder, link]) {
    const branch = url.startsWith("/") ? null : "main";
    const { reason, log } = await bench.run(planOf(bench, { url, branch, id: 99 }));
    assert.equal(reason?.key, IN_DATA, `${url}\n${log}`);
  }
  await repository.git("clone", "--quiet", "--bare", repository.path, `${dataDir}/demo.git`);
  for (const path of [`${directory}/repository/`, `${dataDir}/demo.git`, `${dataDir}/demo`]) {
    const { end, log } = await bench.run(planOf(bench, { url: `file://${path}`, id: 98 }));
    assert.equal(end, "success", log);
  }
});

Deno.test("a repository elsewhere cannot lead git into the data folder", async () => {
  const { bench, mirror } = await benchWithMirror();
  await using _ = bench;
  const { directory, repository } = bench;
  const make = async (name: string, change: (path: string) => Promise<void>) => {
    const path = `${directory}/${name}`;
    await repository.git("clone", "--quiet", repository.path, path);
    await change(path);
    return `file://${path}`;
  };
  const borrow = (path: string, from: string) =>
    Deno.writeTextFile(`${path}/.git/objects/info/alternates`, `${from}\n`);
  const urls = [
    await make("elsewhere", async (path) => {
      await Deno.remove(`${path}/.git`, { recursive: true });
      await Deno.writeTextFile(`${path}/.git`, `gitdir: ${mirror}\n`);
    }),
    await make("borrows", (path) => borrow(path, `${mirror}/objects`)),
    await make("borrows-again", (path) => borrow(path, `${directory}/borrows/.git/objects`)),
    await make("linked", async (path) => {
      await Deno.remove(`${path}/.git/objects`, { recursive: true });
      await Deno.symlink(`${mirror}/objects`, `${path}/.git/objects`);
    }),
  ];
  for (const url of urls) {
    const { reason, log } = await bench.run(planOf(bench, { url, id: 99 }));
    assert.equal(reason?.key, IN_DATA, `${url}\n${log}`);
  }
  await repository.git("submodule", "--quiet", "add", "-b", "main", `file://${mirror}`, "sub");
  await repository.commit({}, "Use the mirror");
  const { reason, log } = await bench.run(planOf(bench, { id: 99 }));
  assert.equal(reason?.key, IN_DATA, log);
});

Deno.test("the remote commit is that of exactly the branch", async () => {
  await using bench = await showBench();
  const { repository, environment } = bench;
  const hash = await repository.git("rev-parse", "HEAD");
  await repository.git("update-ref", "refs/heads/a/refs/heads/main", hash);
  const newest = await repository.commit({ version: "x" }, "Latest");
  assert.equal(await remoteCommit(environment, 1, planOf(bench, {}).repository), newest);
  await assert.rejects(
    remoteCommit(environment, 1, planOf(bench, { branch: "none" }).repository),
    { key: "errors.run.branch_missing" },
  );
  assert.deepEqual([...Deno.readDirSync(`${environment.dataDir}/tasks`)], []);
});
