import assert from "node:assert/strict";
import type { RunBench } from "@/tests/support/server/run_bench.ts";
import { planOf, showBench } from "@/tests/support/server/show_bench.ts";
import type { RepositoryPlan } from "@/lib/execution/run/plan.ts";
import { repositoryContents } from "@/lib/execution/git/contents.ts";
import { repositoryFiles } from "@/lib/execution/git/files.ts";
import { remoteCommit } from "@/lib/execution/git/remote_commit.ts";

const { signal } = new AbortController();

/** Creates a bench whose repository has the branch `stage`, and a tag of the same name. */
async function benchWithTags() {
  const bench = await showBench();
  const { repository } = bench;
  const commits: Record<string, string> = {};
  const commit = async (version: string) =>
    commits[version] = await repository.commit({ version: `${version}!\n` }, version);
  await commit("one");
  await repository.git("tag", "v1");
  await commit("two");
  await repository.git("tag", "--annotate", "--message=Second", "v2");
  await repository.git("tag", "stage");
  await repository.git("checkout", "--quiet", "-b", "stage");
  await commit("three");
  await repository.git("checkout", "--quiet", "main");
  await commit("four");
  return { bench, commits };
}

Deno.test("a branch is also a tag, the full name of either, or the id of a commit", async () => {
  const { bench, commits } = await benchWithTags();
  await using _ = bench;
  const { environment } = bench;
  const names = {
    "main": "four",
    "refs/heads/main": "four",
    "v1": "one",
    "v2": "two",
    "refs/tags/v2": "two",
    "stage": "three",
    "refs/heads/stage": "three",
    "refs/tags/stage": "two",
    [commits.one]: "one",
    [commits.three.toUpperCase()]: "three",
  };
  for (const [branch, version] of Object.entries(names)) {
    const plan = planOf(bench, { branch });
    const ran = await bench.run(plan);
    assert.equal(ran.commit?.hash, commits[version], `${branch}\n${ran.log}`);
    assert.match(ran.log, new RegExp(`^${version}!$`, "m"));
    const { repository } = plan;
    assert.equal(await remoteCommit(environment, 1, repository), commits[version], branch);
    const contents = await repositoryContents(environment, 1, repository, { stop: signal });
    assert.deepEqual(
      contents,
      { ...contents, branches: ["main", "stage"], commit: commits[version] },
    );
    assert.deepEqual(contents.tags, ["v2", "v1", "stage"]);
    const read = await repositoryFiles(environment, 1, repository, ["version"], signal);
    assert.deepEqual(read.files, [{ path: "version", text: `${version}!\n` }], branch);
  }
  for (const branch of ["v2", commits.one]) {
    assert.equal((await bench.run(planOf(bench, { branch }))).end, "success", "once more");
  }
  const pinned = await bench.run(planOf(bench, {
    branch: "v2",
    commit: commits.one,
    ofBranch: true,
  }));
  assert.equal(pinned.commit?.hash, commits.one, pinned.log);
  const later = await bench.run(planOf(bench, {
    branch: "v1",
    commit: commits.two,
    ofBranch: true,
  }));
  assert.equal(later.reason?.key, "errors.run.commit_not_of_branch", later.log);
});

async function reasonOf(bench: RunBench, plan: Partial<RepositoryPlan>) {
  const { started, reason, log } = await bench.run(planOf(bench, plan));
  assert.equal(started, false, log);
  return reason;
}

Deno.test("a name that is not a branch, a tag or a commit is reported", async () => {
  const { bench, commits } = await benchWithTags();
  await using _ = bench;
  const { repository, environment } = bench;
  const missing = ["v3", "refs/heads/v1", "refs/tags/main", "refs/pull/1/head", "heads/main"];
  for (const branch of missing) {
    const reason = { key: "errors.run.branch_missing", params: { branch } };
    assert.deepEqual((await reasonOf(bench, { branch }))?.key, reason.key);
    await assert.rejects(
      remoteCommit(environment, 1, planOf(bench, { branch }).repository),
      reason,
    );
  }
  const short = await reasonOf(bench, { branch: commits.one.slice(0, 12) });
  assert.equal(short?.key, "errors.run.commit_short");

  // A git host serves such a commit, too: it is that of a branch that is gone, or of a fork.
  await repository.git("checkout", "--quiet", "-b", "gone");
  const gone = await repository.commit({ version: "gone!\n" }, "Gone");
  await repository.git("checkout", "--quiet", "main");
  await repository.git("branch", "--quiet", "-D", "gone");
  await repository.git("config", "uploadpack.allowAnySHA1InWant", "true");
  for (const commit of [gone, "0".repeat(40)]) {
    const reason = await reasonOf(bench, { branch: commit });
    assert.deepEqual([reason?.key, reason?.params?.commit], ["errors.run.commit_missing", commit]);
  }
});

Deno.test("a tag that replaces a branch, and one that moves, are followed", async () => {
  const { bench, commits } = await benchWithTags();
  await using _ = bench;
  const { repository } = bench;
  const run = async () => (await bench.run(planOf(bench, { branch: "stage" }))).commit?.hash;
  assert.equal(await run(), commits.three);
  await repository.git("branch", "--quiet", "-D", "stage");
  assert.equal(await run(), commits.two);
  await repository.git("tag", "--force", "--annotate", "--message=Moved", "stage", "main");
  assert.equal(await run(), commits.four);
});

Deno.test("the depth of a checkout is that of the plan", async () => {
  const { bench, commits } = await benchWithTags();
  await using _ = bench;
  const show = "#!/bin/sh\ngit rev-list --count HEAD\ngit describe\ngit tag\necho end\n";
  await Deno.writeTextFile(bench.environment.ansible.playbook, show, { mode: 0o755 });
  const shown = async (plan: Partial<RepositoryPlan>) => {
    const { log } = await bench.run(planOf(bench, plan));
    return /^(\d+)\n([^]*?)end$/m.exec(log)?.slice(1).map((text) => text.trim()) ?? log;
  };
  const short = commits.four.slice(0, 7);
  const tags = "stage\nv1\nv2";
  const [count, failed] = await shown({});
  assert.equal(count, "1");
  assert.match(failed, /^fatal: No names found/);
  assert.deepEqual(await shown({ depth: 2 }), ["2", `v2-1-g${short}\nstage\nv2`]);
  assert.equal((await shown({}))[0], "1");
  assert.deepEqual(await shown({ depth: 0 }), ["4", `v2-1-g${short}\n${tags}`]);
  assert.deepEqual(await shown({ depth: 0, commit: commits.two }), ["3", `v2\n${tags}`]);
  assert.deepEqual(await shown({ depth: 0, branch: "refs/tags/v2" }), ["3", `v2\n${tags}`]);
  assert.deepEqual(await shown({ depth: 0, branch: commits.two }), ["3", `v2\n${tags}`]);
  assert.equal((await shown({}))[0], "1", "also after a longer one");
  const fresh = { id: null, commit: commits.two };
  assert.deepEqual(await shown({ ...fresh, depth: 0 }), ["3", `v2\n${tags}`]);
  assert.equal((await shown({ ...fresh, depth: 2 }))[0], "2");
  await bench.repository.commit({ version: "five!\n" }, "five");
  await bench.repository.git("tag", "--annotate", "--message=Fifth", "v5");
  assert.deepEqual(await shown({ depth: 0 }), ["5", `v5\nstage\nv1\nv2\nv5`]);
});
