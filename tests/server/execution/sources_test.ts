import assert from "node:assert/strict";
import { join } from "node:path";
import {
  leftovers,
  newRunBench,
  proveOnBoth,
  type RunBench,
} from "@/tests/support/server/run_bench.ts";
import { createSecretBox } from "@/lib/access/secret_box.ts";
import { createLeaseStore } from "@/lib/execution/sources/lease_store.ts";
import type { PlanStorage } from "@/lib/execution/sources/plan_storage.ts";
import { referredSecret, type SecretReference } from "@/lib/execution/sources/reference.ts";

const builtIn = (kind: string): PlanStorage => ({
  id: 0,
  name: "",
  kind,
  params: {},
  secret: null,
  allowPrivate: false,
  waitMs: 0,
});

const refer = (kind: string, path: string, ...names: string[]) =>
  referredSecret({ storage: builtIn(kind), path, names });

/** Sets a bench up with a folder, a program and a variable. */
async function withSources(bench: RunBench) {
  const folder = join(bench.directory, "secrets");
  await Deno.mkdir(join(folder, "1"), { recursive: true });
  await Deno.mkdir(join(folder, "2"), { recursive: true });
  await Deno.writeTextFile(join(folder, "1", "token"), "file-swordfish\n");
  await Deno.writeTextFile(join(folder, "2", "token"), "of another project");
  await Deno.symlink(join(folder, "2", "token"), join(folder, "1", "link"));
  const login = { username: "deploy", password: "json-swordfish" };
  await Deno.writeTextFile(join(folder, "1", "login.json"), JSON.stringify(login));
  const program = join(bench.directory, "print-secret");
  const calls = join(bench.directory, "calls");
  await Deno.writeTextFile(
    program,
    `#!/bin/sh\necho "$CALLBOARD_PROJECT_ID $1" >>${calls}\n[ "$1" = app ] || exit 3\n` +
      `echo '{"a": "first-swordfish", "b": "second-swordfish"}'\n`,
    { mode: 0o755 },
  );
  bench.environment.sources = {
    folders: [join(folder, "{project}")],
    command: program,
    value: (name) => name === "CALLBOARD_VALUE_KEY" ? "env-swordfish" : undefined,
    networks: [],
  };
  return { folder, calls: () => Deno.readTextFile(calls) };
}

const DUMP = { CALLBOARD_STAND_IN_DUMP: "1" };

proveOnBoth("secrets are read when a run starts, and are masked in its output", async (on) => {
  await using bench = await newRunBench(on);
  const { calls } = await withSources(bench);
  const ran = await bench.run(bench.plan({
    env: DUMP,
    secretVars: {
      of_a_file: refer("file", "token"),
      of_a_variable: refer("env", "CALLBOARD_VALUE_KEY"),
    },
    secretEnv: {
      CALLBOARD_STAND_IN_ECHO: refer("command", "app", "a"),
      SECOND: refer("command", "app", "b"),
    },
    inventory: {
      ...bench.plan().inventory,
      userKey: {
        type: "login_password",
        login: "",
        password: refer("file", "login.json", "password"),
        plain: {
          login: referredSecret({
            storage: builtIn("file"),
            path: "login.json",
            names: ["login", "username"],
            optional: true,
          }),
        },
      },
    },
  }));
  assert.equal(ran.end, "success", JSON.stringify(ran));
  assert.match(ran.log, /^argument: --user=deploy$/m);
  assert.match(ran.log, /"of_a_file":\{"__ansible_unsafe":"\*+"\}/);
  assert.match(ran.log, /^\*+$/m, "the line that the play prints");
  assert.doesNotMatch(ran.log, /swordfish/);
  assert.equal(await calls(), "1 app\n", "a path is read once in a run");
  assert.deepEqual(leftovers(bench), []);
});

Deno.test("an error names the storage, the path and the reason", async () => {
  await using bench = await newRunBench();
  const { folder } = await withSources(bench);
  const reasons: [SecretReference | string, string, string, ...string[]][] = [
    ["missing", "file", "nothing"],
    ["missing", "file", "link"],
    ["missing", "file", join(folder, "2", "token")],
    ["missing", "file", "../2/token"],
    ["missing", "file", "."],
    ["no_field", "file", "login.json", "private_key"],
    ["missing", "env", "CALLBOARD_VALUE_OTHER"],
    ["variable_name", "env", "PATH"],
    ["command_failed", "command", "other"],
    ["missing", "command", "--help"],
    ["unknown_kind", "attic", "x"],
  ];
  for (const [reason, kind, path, ...names] of reasons) {
    const ran = await bench.run(bench.plan({ secretVars: { x: refer(kind, path, ...names) } }));
    assert.equal(ran.end, "error");
    assert.equal(ran.reason?.key, `errors.sources.${reason}`, `${kind} ${path}`);
    assert.equal(ran.reason?.params?.path, path);
    assert.equal(ran.started, false);
    assert.doesNotMatch(JSON.stringify(ran), /swordfish|another project/);
  }
  assert.deepEqual(leftovers(bench), []);
});

Deno.test("a secret cannot be used before it was read", async () => {
  await using bench = await newRunBench();
  const { requireKnownSettings } = await import("@/lib/base/settings/known_settings.ts");
  requireKnownSettings(["CALLBOARD_VALUE_KEY"]);
  const { isEmpty } = await import("@/lib/base/secret.ts");
  assert.throws(() => isEmpty(refer("env", "CALLBOARD_VALUE_KEY")), /was not read yet/);
  assert.equal(JSON.stringify(refer("env", "CALLBOARD_VALUE_KEY")), "{}");
  const ran = await bench.run(bench.plan({ extraVars: { plain: { login: "a" } }, env: DUMP }));
  assert.match(ran.log, /"plain":\s*\{"login"/, "a variable that is called plain stays");
});

Deno.test("a lease that another run removes meanwhile is not left over", async () => {
  const folder = await Deno.makeTempDir();
  const store = createLeaseStore(folder, await createSecretBox(new Uint8Array(32)));
  const name = await store.add({ storage: builtIn("file"), projectId: 1, lease: "lease" });
  store.abandon(name);
  // A name that is listed, but has no file any more.
  await Deno.symlink(join(folder, "gone"), join(folder, "leases", "removed"));
  assert.deepEqual([...(await store.leftOver()).keys()], [name]);
  await Deno.remove(folder, { recursive: true });
});
