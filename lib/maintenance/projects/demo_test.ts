import assert from "node:assert/strict";
import { join } from "node:path";
import { demoRepositoryDir, ensureDemoRepository } from "./demo.ts";

async function git(...args: string[]): Promise<string> {
  const { success, stdout } = await new Deno.Command("git", { args }).output();
  assert.ok(success, `git ${args.join(" ")}`);
  return new TextDecoder().decode(stdout).trim();
}

Deno.test("the demo repository has the playbooks on main and can be cloned", async () => {
  const dataDir = await Deno.makeTempDir();
  await ensureDemoRepository(dataDir);
  const clone = join(dataDir, "clone");
  await git("clone", "--quiet", "--branch", "main", `file://${demoRepositoryDir(dataDir)}`, clone);
  for (const path of ["ping.yml", "build.yml", "deploy.yml", "invs/dev/hosts", "invs/prod/hosts"]) {
    assert.ok((await Deno.stat(join(clone, path))).isFile, path);
  }
  assert.equal(await git("-C", clone, "status", "--porcelain"), "");
  await Deno.remove(dataDir, { recursive: true });
});

Deno.test("every server creates the same commit of it, once, and leaves nothing else", async () => {
  const [one, two] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
  await Promise.all([ensureDemoRepository(one), ensureDemoRepository(one)]);
  await ensureDemoRepository(two);
  const head = (dataDir: string) =>
    git("--git-dir", demoRepositoryDir(dataDir), "rev-parse", "refs/heads/main");
  assert.equal(await head(one), await head(two));
  assert.deepEqual([...Deno.readDirSync(one)].map(({ name }) => name), ["demo.git"]);
  for (const dataDir of [one, two]) await Deno.remove(dataDir, { recursive: true });
});

Deno.test("without git, creating the demo fails and leaves no partial repository", async () => {
  const dataDir = await Deno.makeTempDir();
  const sh = (await Deno.realPath("/bin/sh")).replace(/\/[^/]+$/, "");
  const empty = await Deno.makeTempDir();
  await Deno.symlink(`${sh}/sh`, join(empty, "sh"));
  const demo = JSON.stringify(import.meta.resolve("./demo.ts"));
  const script = `import { ensureDemoRepository } from ${demo};
    await ensureDemoRepository(${JSON.stringify(dataDir)});`;
  try {
    // A process of its own, because all tests share the variables of this one.
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", "--no-check", script],
      env: { PATH: empty },
    }).output();
    assert.equal(code, 1);
    assert.match(new TextDecoder().decode(stderr), /demo repository could not be created/);
    assert.deepEqual([...Deno.readDirSync(dataDir)], []);
  } finally {
    for (const dir of [dataDir, empty]) await Deno.remove(dir, { recursive: true });
  }
});
