import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import denoJson from "@/deno.json" with { type: "json" };
import { writeArchive } from "@/tools/package/archive.ts";
import { commandScript } from "@/tools/package/command.ts";
import { ROOT } from "@/tests/support/basics/walk.ts";

/** Prints its arguments, one a line. */
const PRINTER = `#!/bin/sh\nprintf '%s\\n' "$@"\n`;

async function newFolder() {
  const path = await Deno.makeTempDir({ prefix: "callboard_package_test_" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

async function write(path: string, text: string, mode = 0o644): Promise<void> {
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text, { mode });
}

/** Creates an unpacked archive in which `deno` only prints its arguments. */
async function printingArchive(top: string): Promise<string> {
  const command = join(top, "bin", "callboard");
  await write(join(top, "lib", "deno"), PRINTER, 0o755);
  await write(command, commandScript(denoJson), 0o755);
  await write(join(top, "VERSION"), "1.2.3\n");
  await Deno.mkdir(join(top, "app", "scripts"), { recursive: true });
  for (const name of ["readable.sh", "settings.sh", "writable.sh"]) {
    await Deno.copyFile(join(ROOT, "scripts", name), join(top, "app", "scripts", name));
  }
  return command;
}

async function run(command: string[], env: Record<string, string>, cwd = ROOT) {
  const { code, stdout, stderr } = await new Deno.Command(command[0]!, {
    args: command.slice(1),
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin", ...env },
    cwd,
  }).output();
  const [said, failed] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  // A server prints to standard error alone.
  const lines = [said, failed].flatMap((text) => text!.split("\n").slice(0, -1));
  return { code, lines, failed };
}

/** Returns permissions and the name of the script, without options that decide what is loaded. */
const permissions = (lines: string[]) =>
  lines.filter((line) =>
    !/^--(quiet|cached-only|no-config|no-remote|no-npm|unstable-.*)$/.test(line)
  )
    .map((line) => line.replace(/^(?:scripts|_fresh\/server)\/(\w+)\.(ts|js)$/, "$1"));

Deno.test("bin/callboard runs each command with exactly the permissions of its task", async () => {
  await using folder = await newFolder();
  const { path: top } = folder;
  const callboard = await printingArchive(top);
  await write(join(top, "path", "deno"), PRINTER, 0o755);
  const data = join(top, "a data folder");
  const env = {
    CALLBOARD_DATA: data,
    CALLBOARD_RUNNER_DATA: data,
    CALLBOARD_KV: "/srv/callboard.kv",
    CALLBOARD_SMTP_URL_FILE: "/run/mail",
    PATH: `${join(top, "path")}:/usr/bin:/bin`,
  };
  const task = async (name: keyof typeof denoJson.tasks) =>
    permissions((await run(["sh", "-c", `exec 2>&1; ${denoJson.tasks[name].command}`], env)).lines);

  for (
    const name of [
      ...["user", "maintenance", "backup", "restore", "import", "secret-key", "config"] as const,
      ...["compact", "doctor", "runner"] as const,
    ]
  ) {
    const { lines } = await run([callboard, name, "--to", "a file"], env);
    assert.deepEqual(permissions(lines), [...await task(name), "--to", "a file"], name);
    assert.ok(lines.includes("--no-remote"), name);
  }
  const config = join(top, "callboard.env");
  await write(config, "CALLBOARD_DATA=/srv/from-a-file\n");
  for (const name of ["user", "maintenance", "import", "secret-key", "start"]) {
    const { lines } = await run([callboard, name], { CALLBOARD_CONFIG: config });
    const [, folders] = lines.findLast((line) => line.startsWith("--allow-write="))!.split("=");
    assert.match(folders!, /^\/srv\/from-a-file,/, name);
  }
  const start = [...await task("prepare"), ...await task("serve")];
  assert.ok(start.some((line) => line.startsWith("--allow-write=") && line.includes(data)));
  assert.deepEqual(permissions((await run([callboard, "start"], env)).lines), start);
  assert.deepEqual(permissions((await run([callboard, "demo"], env)).lines), start);
});

Deno.test("bin/callboard finds its data folder, also through a link and from another folder", async () => {
  await using folder = await newFolder();
  const { path: top } = folder;
  const link = join(top, "link");
  await Deno.symlink(await printingArchive(top), link);
  const written = async (env: Record<string, string>) => {
    const { lines, failed } = await run([link, "user"], env, "/usr");
    return lines.find((line) => line.startsWith("--allow-write="))?.split(/[=,]/)[1] ?? failed;
  };
  assert.equal(await written({ CALLBOARD_DATA: "/var/lib/callboard" }), "/var/lib/callboard");
  assert.equal(await written({ CALLBOARD_DATA: "data" }), "/usr/data");
  assert.equal(await written({ HOME: "/home/eve" }), "/home/eve/.local/share/callboard");
  assert.equal(await written({ HOME: "/home/eve", XDG_DATA_HOME: "/d" }), "/d/callboard");
  assert.match(await written({}), /^Set CALLBOARD_DATA/);
  await write(join(top, "home/.config/callboard/callboard.env"), "CALLBOARD_DATA = '/srv/a b'\n");
  assert.equal(await written({ HOME: join(top, "home") }), "/srv/a b");
  await write(join(top, "own.env"), "CALLBOARD_DATA=own\n");
  const HOME = join(top, "home");
  assert.equal(await written({ HOME, CALLBOARD_CONFIG: join(top, "own.env") }), "/usr/own");
  assert.equal(await written({ HOME, CALLBOARD_DATA: "/d" }), "/d");
  assert.equal(await written({ HOME, CALLBOARD_CONFIG: "" }), `${HOME}/.local/share/callboard`);
});

Deno.test("bin/callboard names its version, its commands and a command that it does not have", async () => {
  await using folder = await newFolder();
  const callboard = await printingArchive(folder.path);
  assert.deepEqual((await run([callboard, "version"], {})).lines, ["Callboard 1.2.3", "--version"]);
  const help = await run([callboard], {});
  assert.match(help.lines.join("\n"), /^Usage: callboard COMMAND[^]+secret-key {2}[A-Z]/);
  const unknown = await run([callboard, "strat"], { HOME: "/home/eve" });
  assert.equal(unknown.code, 1);
  assert.match(unknown.failed!, /no command "strat"/);
});

Deno.test("equal folders give equal archives, whenever and by whomever their files were written", async () => {
  await using folder = await newFolder();
  const { path } = folder;
  const time = new Date(1_700_000_000_000);
  const made: Uint8Array[] = [];
  for (const [name, mode] of [["first", 0o600], ["second", 0o664]] as const) {
    const top = join(path, name, "callboard");
    await Deno.mkdir(top, { recursive: true });
    // In another order, with other times and modes.
    for (const file of name === "first" ? ["a", "b"] : ["b", "a"]) {
      await write(join(top, `${file}/${"long".repeat(40)}/${file}.txt`), file, mode);
    }
    await write(join(top, "run"), "#!/bin/sh\n", mode | 0o100);
    await Deno.chmod(join(top, "a"), mode | 0o111);
    await Deno.utime(join(top, "run"), made.length, made.length);
    await Deno.symlink("run", join(top, "link"));
    await writeArchive(top, join(path, `${name}.tar.gz`), time);
    made.push(await Deno.readFile(join(path, `${name}.tar.gz`)));
  }
  assert.deepEqual(made[0], made[1]);
  const { lines } = await run(["tar", "-tvzf", join(path, "first.tar.gz")], { TZ: "UTC" });
  assert.equal(lines.length, 9);
  for (const line of lines) assert.match(line, /^\S+ root\/root +\d+ 2023-11-14 22:13 callboard/);
  assert.match(lines.at(-1)!, /^-rwxr-xr-x .* callboard\/run$/);
});
