import assert from "node:assert/strict";
import { join } from "node:path";
import { withSharedPip } from "@/tests/support/programs/shared_pip.ts";
import { makeWheels } from "@/tests/support/services/wheels.ts";
import {
  newRunBench,
  proveOnBoth,
  replace,
  type RunBench,
  type RunsOn,
  STAND_IN,
} from "@/tests/support/server/run_bench.ts";
import { until } from "@/tests/support/basics/until.ts";
import { noIsolation } from "@/lib/execution/process/isolation.ts";
import type { ToolchainPlan } from "@/lib/execution/ansible/plan.ts";
import {
  pruneToolchains,
  startRemovingUnused,
} from "@/lib/execution/ansible/toolchains/toolchain.ts";
import {
  coreRequirement,
  isCollection,
  isCoreVersion,
  isRequirement,
  linesOf,
  pythonsFor,
  readCollection,
} from "@/lib/execution/ansible/toolchains/toolchain_lines.ts";

const TOOLCHAIN: ToolchainPlan = {
  name: "Old",
  kind: "built",
  ansibleCore: "2.16",
  pip: ["more"],
  collections: [],
  python: "",
  path: "",
};

/** A bench without a network, whose packages are in a folder. */
async function newWheelBench(on?: RunsOn): Promise<RunBench> {
  const bench = await newRunBench(on);
  const wheels = join(bench.directory, "wheels");
  await makeWheels(wheels, ["2.14.3", "2.16.2", "2.16.14"], STAND_IN);
  bench.environment.packages.wheels = wheels;
  bench.environment.path = await withSharedPip(`${bench.directory}/python`, bench.environment.path);
  // A build takes seconds, and more on a busy machine.
  bench.environment.timeLimits.galaxyMs = 600_000;
  return bench;
}

const foldersOf = async ({ environment: { dataDir } }: RunBench) => {
  const entries = await Array.fromAsync(Deno.readDir(join(dataDir, "toolchains")));
  return entries.filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
};

proveOnBoth(
  "ten tasks that need a new toolchain build it once, and the others say that they wait",
  async (on) => {
    await using bench = await newWheelBench(on);
    bench.environment.isolation = { ...noIsolation, mode: "bwrap" };
    const runs = await Promise.all(
      Array.from({ length: 10 }, () => bench.run(bench.plan({ toolchain: TOOLCHAIN }))),
    );
    for (const { end, log } of runs) {
      assert.equal(end, "success", log);
      assert.match(log, /^Using ansible-playbook \[core 2\.16\.14\] of the toolchain Old$/m);
    }
    const count = (text: RegExp) => runs.filter(({ log }) => text.test(log)).length;
    assert.equal(count(/^Building the toolchain Old with /m), 1);
    assert.ok(count(/^Waiting for the toolchain Old, which another task is building$/m) >= 1);
    assert.equal((await foldersOf(bench)).length, 1);
    const again = await bench.run(bench.plan({ toolchain: TOOLCHAIN }));
    assert.doesNotMatch(again.log, /Building|Waiting/);
  },
);

Deno.test("a line that pip rejects ends the task with its message, and leaves nothing behind", async () => {
  await using bench = await newWheelBench();
  const toolchain = { ...TOOLCHAIN, pip: ["no-such-package==1.0"] };
  const { end, reason, log, started } = await bench.run(bench.plan({ toolchain }));
  assert.equal(end, "error");
  assert.equal(started, false);
  assert.equal(reason?.key, "errors.run.toolchain_failed");
  assert.match(String(reason.params?.said), /no-such-package/);
  assert.match(log, /no-such-package/);
  assert.deepEqual(await foldersOf(bench), []);
});

Deno.test("toolchains with different lines are side by side", async () => {
  await using bench = await newWheelBench();
  const versions = ["2.14", "2.16.2"];
  const runs = await Promise.all(
    versions.map((ansibleCore) =>
      bench.run(bench.plan({ toolchain: { ...TOOLCHAIN, ansibleCore } }))
    ),
  );
  for (const [n, version] of ["2.14.3", "2.16.2"].entries()) {
    assert.ok(runs[n].log.includes(`[core ${version}]`), runs[n].log);
  }
});

Deno.test("a Python that is missing is named", async () => {
  await using bench = await newWheelBench();
  const toolchain = { ...TOOLCHAIN, python: "3.99" };
  const { reason } = await bench.run(bench.plan({ toolchain }));
  assert.deepEqual([reason?.key, reason?.params?.versions], [
    "errors.run.toolchain_python",
    "3.99",
  ]);
});

Deno.test("a toolchain can be a folder, with or without bin", async () => {
  await using bench = await newRunBench();
  await replace(
    bench,
    "playbook",
    `[ "$1" != --version ] || { echo "of the folder"; exit; }
exec sh ${STAND_IN} "$@"`,
  );
  for (const path of [bench.directory, join(bench.directory, "bin")]) {
    const toolchain: ToolchainPlan = { ...TOOLCHAIN, kind: "path", path };
    const { end, log } = await bench.run(bench.plan({ toolchain }));
    assert.equal(end, "success", log);
    assert.match(log, /^Using of the folder of the toolchain Old$/m);
  }
  const path = join(bench.directory, "none");
  const { reason } = await bench.run(
    bench.plan({ toolchain: { ...TOOLCHAIN, kind: "path", path } }),
  );
  assert.deepEqual(reason, { key: "errors.run.toolchain_missing", params: { name: "Old", path } });
});

Deno.test("leftovers of a killed build are removed, and so are builds that no one uses", async () => {
  await using bench = await newWheelBench();
  const { dataDir } = bench.environment;
  await bench.run(bench.plan({ toolchain: TOOLCHAIN }));
  const [used] = await foldersOf(bench);
  const parent = join(dataDir, "toolchains");
  await Deno.mkdir(join(parent, "a.new"));
  await pruneToolchains(dataDir);
  assert.deepEqual(await foldersOf(bench), [used]);
  const old = new Date(Date.now() - 61 * 86_400_000);
  await Deno.utime(join(parent, used), old, old);
  await pruneToolchains(dataDir);
  assert.deepEqual(await Array.fromAsync(Deno.readDir(parent)), []);
});

Deno.test("an unused toolchain is removed while the server runs, and a build is not", async () => {
  await using bench = await newWheelBench();
  const { dataDir } = bench.environment;
  const plan = bench.plan({ toolchain: TOOLCHAIN });
  await bench.run(plan);
  const [unused] = await foldersOf(bench);
  const parent = join(dataDir, "toolchains");
  const old = new Date(Date.now() - 61 * 86_400_000);
  for (const name of ["used", "building.new"]) await Deno.mkdir(join(parent, name));
  for (const name of [unused, "building.new"]) await Deno.utime(join(parent, name), old, old);
  const removing = startRemovingUnused(dataDir, assert.ifError, { everyMs: 20 });
  await until(async () => (await foldersOf(bench)).length === 2);
  await removing.stop();
  assert.deepEqual((await foldersOf(bench)).toSorted(), ["building.new", "used"]);
  const { end, log } = await bench.run(plan);
  assert.equal(end, "success", log);
  assert.match(log, /^Building the toolchain Old with /m);
});

Deno.test("lines of packages and collections are read, and options refused", () => {
  for (
    const line of [
      "netaddr",
      "netaddr>=1.0,<2",
      "a[b,c]==1; python_version<'3.12'",
      "x @ https://h/x.whl",
      `a==1 ; python_version>'3' --hash=sha256:${"0".repeat(64)}`,
    ]
  ) {
    assert.ok(isRequirement(line), line);
  }
  for (
    const line of [
      "-r other",
      "--index-url=https://h",
      "a --index-url=x",
      "x @ https://u:p@h/x",
      "./x",
      "a ; -r x",
      "a ; python_version>'3' --config-settings=x=y",
      "x @ https://h/${PIP_INDEX_URL}",
      "a ; python_version>'${PIP_INDEX_URL}'",
    ]
  ) {
    assert.ok(!isRequirement(line), line);
  }
  for (const version of ["2.16", "2.16.14", ">=2.14,<2.17", "~=2.16.0", "2.19.0rc1"]) {
    assert.ok(isCoreVersion(version), version);
  }
  for (const version of ["two", "2.16 --pre", ">=", "-e ."]) assert.ok(!isCoreVersion(version));
  assert.deepEqual(readCollection("a.b:>=1,<2 signature=https://h/1.asc"), {
    name: "a.b",
    version: ">=1,<2",
    signatures: ["https://h/1.asc"],
  });
  assert.equal(readCollection("a.b").version, "*");
  assert.equal(readCollection("a.b 1.2.3").version, "1.2.3");
  for (const line of ["a", "a.b.c", "a.b --force", "a.b signature=/etc/x"]) {
    assert.ok(!isCollection(line), line);
  }
  assert.deepEqual(linesOf("# one\n a \n\nb # two\nc#d"), ["a", "b", "c#d"]);
});

Deno.test("an old ansible-core gets a Python that it supports", () => {
  assert.equal(coreRequirement("2.16"), "ansible-core~=2.16.0");
  assert.equal(coreRequirement("2.16.1"), "ansible-core==2.16.1");
  assert.equal(coreRequirement(">=2.16"), "ansible-core>=2.16");
  assert.deepEqual(pythonsFor("2.14", ""), ["3.11", "3.10", "3.9"]);
  assert.deepEqual(pythonsFor(">=2.19,<2.20", ""), ["3.13", "3.12", "3.11"]);
  assert.deepEqual(pythonsFor("2.19", "3.12"), ["3.12"]);
});
