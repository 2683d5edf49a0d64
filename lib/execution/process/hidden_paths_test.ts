import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type NamedPath, readNamedPaths } from "../../base/settings/named_paths.ts";
import { findHiddenPaths } from "./hidden_paths.ts";
import { readIsolation, tryIsolation } from "./prepare_isolation.ts";
import { tryCommand } from "./try_command.ts";

const PATH = Deno.env.get("PATH")!;
const ENCLOSE = fileURLToPath(new URL("./enclose.sh", import.meta.url));

/** A machine with a data folder, whose files are created with their folders. */
async function newMachine() {
  const home = await Deno.makeTempDir({ prefix: "callboard_hidden_" });
  const own = (path: string) => path.startsWith("/") ? path : join(home, path);
  const dataDir = join(home, "state", "data");
  await Deno.mkdir(dataDir, { recursive: true });
  const write = async (path: string, text = "swordfish") => {
    await Deno.mkdir(dirname(own(path)), { recursive: true });
    await Deno.writeTextFile(own(path), text, { mode: 0o600 });
    return own(path);
  };
  const removed: string[] = [home];
  const settingsOf = (variables: Record<string, string>) => ({
    dataDir,
    kv: join(dataDir, "callboard.kv"),
    taskIsolation: "bwrap" as const,
    taskUser: "",
    namedPaths: readNamedPaths({ get: (name) => variables[name] }),
  });
  return {
    own,
    dataDir,
    write,
    removed,
    settingsOf,
    /** Returns what of these paths a command of a run can read or write, and their entries. */
    async seen(
      variables: Record<string, string>,
      paths: string[],
      { projectId = 0, script = LOOK } = {},
    ) {
      const isolation = await readIsolation(settingsOf(variables));
      const env = { dataDir, isolation, path: PATH, variables: {} };
      const asked = paths.map(own);
      const { works, stdout, complaint } = await tryCommand(env, [
        "sh",
        "-c",
        script,
        "sh",
        ...asked,
      ], { projectId });
      assert.ok(works, complaint);
      return stdout.split("\n").filter(Boolean).map((line) => line.replace(`${home}/`, ""));
    },
    async [Symbol.asyncDispose]() {
      for (const path of removed) await Deno.remove(path, { recursive: true }).catch(() => {});
    },
  };
}

const LOOK = `for path; do
  if [ -d "$path" ]; then
    for entry in "$path"/* "$path"/..?*; do [ ! -e "$entry" ] || echo "entry $entry"; done
    (: >"$path/planted") 2>/dev/null && echo "planted in $path"
  else
    (: <"$path") 2>/dev/null && echo "read $path"
    [ -e "$path" ] && (: >>"$path") 2>/dev/null && echo "wrote $path"
  fi
done
true`;

Deno.test("a file of a secret hides its folder, and whatever comes into it later", async () => {
  await using machine = await newMachine();
  const file = await machine.write("secrets of all, really/pass word");
  await machine.write("secrets of all, really/another");
  const variables = { CALLBOARD_ADMIN_PASSWORD_FILE: file };
  const folder = "secrets of all, really";
  const paths = [folder, `${folder}/pass word`, `${folder}/another`];
  assert.deepEqual(await machine.seen(variables, paths), []);
  // As a rotation does it, while a command of a run waits.
  const script = `touch "$HOME/waits"; for n in $(seq 100); do
    [ -e "$1" ] && break; sleep 0.1
  done; cat "$2"/* 2>/dev/null; true`;
  const waits = machine.seen(variables, ["shared/go", folder], { script });
  await machine.write("secrets of all, really/new");
  await Deno.rename(machine.own(`${folder}/new`), file);
  await machine.write("shared/go");
  assert.deepEqual(await waits, []);
});

Deno.test("no run moves a folder to where the next one would find its secrets", async () => {
  await using machine = await newMachine();
  const variables = {
    CALLBOARD_ADMIN_PASSWORD_FILE: await machine.write("app/config/secrets/password"),
    CALLBOARD_AUDIT_FILE: await machine.write("log/part/audit/events.jsonl"),
    CALLBOARD_SMTP_URL_FILE: await machine.write("mixed/part/smtp"),
    CALLBOARD_SECRET_FILES: machine.own("vault/part/{project}"),
  };
  await machine.write("mixed/part/plays/site.yml");
  await machine.write("vault/part/7/own");
  await machine.write("state/data/secret.key");
  const script =
    `for path; do mv "$path" "$path.moved" 2>/dev/null && echo "moved $path"; done; true`;
  const above = ["app", "app/config", "log", "log/part", "mixed", "mixed/part", "vault", "state"];
  assert.deepEqual(await machine.seen(variables, above, { script }), []);
  assert.deepEqual(
    await machine.seen(variables, [
      "app/config/secrets/password",
      "mixed/part/smtp",
      "mixed/part/plays/site.yml",
    ]),
    ["read mixed/part/plays/site.yml", "wrote mixed/part/plays/site.yml"],
  );
});

Deno.test("a file among folders of others is hidden alone, with its copies", async () => {
  await using machine = await newMachine();
  const file = await machine.write("all/audit.jsonl");
  await machine.write("all/audit.jsonl.1");
  await machine.write("all/audit.jsonl-20260101");
  await machine.write("all/other");
  await machine.write("all/playbooks/site.yml");
  const paths = [
    "audit.jsonl",
    "audit.jsonl.1",
    "audit.jsonl-20260101",
    "other",
    "playbooks/site.yml",
  ];
  const seen = await machine.seen(
    { CALLBOARD_AUDIT_FILE: file },
    paths.map((path) => `all/${path}`),
  );
  assert.deepEqual(seen, [
    ...["read all/other", "wrote all/other"],
    ...["read all/playbooks/site.yml", "wrote all/playbooks/site.yml"],
  ]);
});

Deno.test("a file in a folder of the system is hidden alone", async () => {
  await using machine = await newMachine();
  const file = `/var/tmp/callboard-hidden-${crypto.randomUUID()}`;
  machine.removed.push(file, `${file}~`);
  await machine.write(file);
  await machine.write(`${file}~`);
  const beside = `/var/tmp/callboard-beside-${crypto.randomUUID()}`;
  machine.removed.push(beside);
  await machine.write(beside);
  const seen = await machine.seen({ CALLBOARD_SMTP_URL_FILE: file }, [file, `${file}~`, beside]);
  assert.deepEqual(seen, [`read ${beside}`, `wrote ${beside}`]);
});

Deno.test("links are hidden with all that they lead to, wherever they lead later", async () => {
  await using machine = await newMachine();
  await machine.write("first/secret");
  await machine.write("second/secret");
  await machine.write("others/folder/file");
  await Deno.mkdir(machine.own("links"));
  await Deno.symlink("../first/secret", machine.own("links/secret"));
  await Deno.symlink("../links/secret", machine.own("others/link"));
  const variables = { CALLBOARD_ADMIN_PASSWORD_FILE: machine.own("others/link") };
  const paths = ["links", "first", "others/link", "links/secret", "first/secret", "second/secret"];
  const second = ["read second/secret", "wrote second/secret"];
  assert.deepEqual(await machine.seen(variables, paths), second);
  const isolation = await readIsolation(machine.settingsOf(variables));
  assert.deepEqual(isolation.hidden.folders.filter((path) => path.startsWith(machine.own(""))), [
    machine.own("first"),
    machine.own("links"),
  ]);
  await Deno.remove(machine.own("others/link"));
  await Deno.symlink(machine.own("second/secret"), machine.own("others/link"));
  const env = { dataDir: machine.dataDir, isolation, path: PATH, variables: {} };
  const { stdout } = await tryCommand(env, ["cat", machine.own("second/secret")]);
  assert.equal(stdout, "");
});

Deno.test("a secret of Kubernetes is hidden with all its versions", async () => {
  await using machine = await newMachine();
  await machine.write("mounted/..2026/secret");
  await Deno.symlink("..2026", machine.own("mounted/..data"));
  await Deno.symlink("..data/secret", machine.own("mounted/secret"));
  const variables = { CALLBOARD_SECRET_KEY_FILE: machine.own("mounted/secret") };
  const paths = ["mounted", "mounted/secret", "mounted/..data/secret", "mounted/..2026/secret"];
  assert.deepEqual(await machine.seen(variables, paths), []);
});

Deno.test("of secret files by project, a run reads only those of its own", async () => {
  await using machine = await newMachine();
  for (const path of ["vault/7/a", "vault/8/a", "away/b", "all/secrets-7/c", "all/secrets-8/c"]) {
    await machine.write(path);
  }
  await Deno.symlink("../away", machine.own("vault/9"));
  await machine.write("flat/d");
  const variables = {
    CALLBOARD_SECRET_FILES: ["vault/{project}", "all/secrets-{project}", "flat"]
      .map(machine.own).join(", "),
  };
  const paths = ["vault", "vault/7/a", "vault/8/a", "away", "all/secrets-7/c", "all/secrets-8/c"];
  const seen = await machine.seen(variables, [...paths, "flat", "flat/d"], { projectId: 7 });
  assert.deepEqual(seen, ["entry vault/7", "read vault/7/a", "read all/secrets-7/c"]);
});

Deno.test("files that a settings file names are hidden, and certificates cannot be changed", async () => {
  await using machine = await newMachine();
  const secret = await machine.write("far/client");
  const ca = await machine.write("certificates/ca.pem");
  const other = await machine.write("certificates/other.pem");
  const oidc = await machine.write(
    "oidc/providers.json",
    JSON.stringify({ corp: { client_secret_file: secret, ca_file: ca } }),
  );
  const variables = {
    CALLBOARD_OIDC_FILE: oidc,
    CALLBOARD_LDAP_CA_FILE: other,
    SSL_CERT_FILE: other,
  };
  const paths = ["oidc", "oidc/providers.json", "far", "far/client"];
  const seen = await machine.seen(variables, [
    ...paths,
    "certificates/ca.pem",
    "certificates/other.pem",
  ]);
  assert.deepEqual(seen, ["read certificates/other.pem"]);
});

Deno.test("runs read their packages and certificates in a hidden folder, and nothing else there", async () => {
  await using machine = await newMachine();
  const file = await machine.write("all/password");
  await machine.write("all/wheels/a.whl");
  const ca = await machine.write("all/ca.pem");
  const variables = {
    CALLBOARD_ADMIN_PASSWORD_FILE: file,
    CALLBOARD_WHEELS: machine.own("all/wheels"),
    SSL_CERT_FILE: ca,
  };
  const seen = await machine.seen(variables, ["all/password", "all/wheels/a.whl", "all/ca.pem"]);
  assert.deepEqual(seen, ["read all/wheels/a.whl", "read all/ca.pem"]);
});

Deno.test("folders that do not exist are not created", async () => {
  await using machine = await newMachine();
  const missing = machine.own("away/backups");
  const variables = { CALLBOARD_BACKUP_TO: missing, CALLBOARD_AUDIT_FILE: machine.own("gone/a") };
  assert.deepEqual(await machine.seen(variables, [missing]), []);
  await assert.rejects(Deno.stat(machine.own("away")), Deno.errors.NotFound);
  await assert.rejects(Deno.stat(machine.own("gone")), Deno.errors.NotFound);
});

Deno.test({
  name: "other mounts of a secret's folder, and of a folder above it, are hidden, too",
  ignore: Deno.uid() !== 0,
  async fn() {
    await using machine = await newMachine();
    const file = await machine.write("deep/secrets/password");
    await machine.write("deep/open/file");
    const [above, itself] = ["above", "itself"].map(machine.own);
    for (const folder of [above, itself]) await Deno.mkdir(folder!);
    await mount("--bind", machine.own("deep"), above!);
    await mount("--bind", machine.own("deep/secrets"), itself!);
    try {
      const paths = ["deep/secrets", "above/secrets", "above/secrets/password", "itself/password"];
      const seen = await machine.seen({ CALLBOARD_ADMIN_PASSWORD_FILE: file }, [
        ...paths,
        "above/open/file",
      ]);
      assert.deepEqual(seen, ["read above/open/file", "wrote above/open/file"]);
    } finally {
      for (const folder of [above, itself]) {
        await new Deno.Command("umount", { args: [folder!] }).output();
      }
    }
  },
});

async function mount(...args: string[]) {
  const { success, stderr } = await new Deno.Command("mount", { args }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

Deno.test("a start is refused with the path that a task could read or change", async () => {
  await using machine = await newMachine();
  const file = await machine.write("secrets/password");
  const ca = await machine.write("certificates/ca.pem");
  const settings = machine.settingsOf({
    CALLBOARD_ADMIN_PASSWORD_FILE: file,
    CALLBOARD_LDAP_CA_FILE: ca,
  });
  const isolation = await readIsolation(settings);
  const tried = (hidden = isolation.hidden) =>
    tryIsolation(
      {
        dataDir: machine.dataDir,
        isolation: { ...isolation, hidden },
        path: PATH,
        variables: {},
      },
      settings,
    );
  assert.equal(await tried(), null);
  const { folders, files } = isolation.hidden;
  const without = (list: string[], path: string) => list.filter((other) => other !== path);
  assert.match(
    (await tried({ ...isolation.hidden, folders: without(folders, dirname(file)) }))!,
    new RegExp(`^CALLBOARD_TASK_ISOLATION=bwrap does not work here: tasks can read ${file}$`),
  );
  assert.match(
    (await tried({ ...isolation.hidden, files: without(files, ca) }))!,
    new RegExp(`: tasks can write to ${ca}$`),
  );
});

Deno.test("each kind of setting leads to a kind of path", () => {
  const kinds = new Set<NamedPath["kind"]>();
  const env = { get: (name: string) => /URL|PATH$/.test(name) ? undefined : `/some/${name}` };
  for (const { kind } of readNamedPaths(env)) kinds.add(kind);
  assert.equal(kinds.size, 8);
  assert.throws(
    () => readNamedPaths({ get: (name) => name.endsWith("_TO") ? "/a\nb" : undefined }),
    /^ConfigError: CALLBOARD_BACKUP_TO must not contain a line break$/,
  );
});

Deno.test({
  name: "an ordinary account runs commands beside a data folder that it may not enter",
  ignore: Deno.uid() !== 0,
  async fn() {
    await using machine = await newMachine();
    await machine.write("foreign/ansible/bin/ansible");
    await Deno.chmod(machine.own("foreign"), 0o700);
    const { hidden } = await readIsolation(
      machine.settingsOf({ CALLBOARD_RUNNER_DATA: machine.own("foreign") }),
    );
    assert.ok(hidden.shown.includes(machine.own("foreign/ansible")));
    await Deno.chmod(machine.own(""), 0o711);
    const { success, stderr } = await new Deno.Command("setpriv", {
      args: [
        ...["--reuid=64321", "--regid=64321", "--clear-groups", "sh", ENCLOSE, "bwrap"],
        ...["--bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
        ...["--hide", machine.own("foreign"), "--show", machine.own("foreign/ansible")],
        ...["--close", machine.own("foreign"), "--unshare-pid", "--", "true"],
      ],
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
  },
});

Deno.test("a server with a data folder of its own hides nothing that the folder shows", async () => {
  await using machine = await newMachine();
  const { folders } = await findHiddenPaths(
    readNamedPaths({ get: (name) => name === "CALLBOARD_DATA" ? machine.dataDir : undefined }),
    machine.dataDir,
  );
  assert.ok(!folders.includes(machine.dataDir));
});
