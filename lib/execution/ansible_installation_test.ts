import assert from "node:assert/strict";
import { join } from "node:path";
import { ansibleDir, findAnsible } from "./ansible_installation.ts";

/** A data folder whose own Ansible tells `version`, and notes each time it is asked. */
async function dataDirWithAnsible(version: string) {
  const dataDir = await Deno.makeTempDir();
  const bin = join(ansibleDir(dataDir), "bin");
  await Deno.mkdir(bin, { recursive: true });
  const script = `#!/bin/sh\necho asked >>"${dataDir}/asked"\necho "${version}"\n`;
  await Deno.writeTextFile(join(bin, "ansible-playbook"), script, { mode: 0o755 });
  await Deno.writeTextFile(join(bin, "ansible-galaxy"), "#!/bin/sh\n", { mode: 0o755 });
  const timesAsked = async () =>
    (await Deno.readTextFile(join(dataDir, "asked")).catch(() => "")).split("\n").length - 1;
  return { dataDir, bin, timesAsked };
}

/** Runs `test` with a PATH on which there is no Ansible, but the usual tools. */
async function withoutAnsibleOnPath(test: () => Promise<void>) {
  const before = Deno.env.get("PATH")!;
  const tools = await Deno.makeTempDir();
  for (const name of ["sh", "find", "cat"]) {
    const { stdout } = await new Deno.Command("sh", { args: ["-c", `command -v ${name}`] })
      .output();
    await Deno.symlink(new TextDecoder().decode(stdout).trim(), join(tools, name));
  }
  Deno.env.set("PATH", tools);
  try {
    await test();
  } finally {
    Deno.env.set("PATH", before);
    await Deno.remove(tools, { recursive: true });
  }
}

Deno.test("Ansible in the data folder is found, and asked for its version only once", async () => {
  const { dataDir, bin, timesAsked } = await dataDirWithAnsible("ansible-playbook [core 2.19.14]");
  await withoutAnsibleOnPath(async () => {
    const expected = {
      playbook: join(bin, "ansible-playbook"),
      galaxy: join(bin, "ansible-galaxy"),
      version: "ansible-playbook [core 2.19.14]",
    };
    assert.deepEqual(await findAnsible(dataDir), expected);
    assert.deepEqual(await findAnsible(dataDir), expected);
    assert.equal(await timesAsked(), 1);
  });
  await Deno.remove(dataDir, { recursive: true });
});

Deno.test("an Ansible that was upgraded is asked again", async () => {
  const { dataDir, bin } = await dataDirWithAnsible("ansible-playbook [core 2.19.1]");
  await withoutAnsibleOnPath(async () => {
    await findAnsible(dataDir);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const script = "#!/bin/sh\necho 'ansible-playbook [core 2.19.2]'\n";
    await Deno.writeTextFile(join(bin, "ansible-playbook"), script);
    assert.equal((await findAnsible(dataDir))?.version, "ansible-playbook [core 2.19.2]");
  });
  await Deno.remove(dataDir, { recursive: true });
});

Deno.test("an Ansible that does not start is none", async () => {
  const { dataDir, bin } = await dataDirWithAnsible("");
  await Deno.writeTextFile(join(bin, "ansible-playbook"), "#!/bin/sh\nexit 1\n");
  await withoutAnsibleOnPath(async () => assert.equal(await findAnsible(dataDir), null));
  await Deno.remove(dataDir, { recursive: true });
});
