import assert from "node:assert/strict";
import { conceal } from "@/lib/base/secret.ts";
import { silentLog } from "@/lib/execution/log/run_log.ts";
import { type RunContext, withContext } from "@/lib/execution/run/context.ts";
import { newRunBench } from "@/tests/support/server/run_bench.ts";
import { type AgentKey, startAgent } from "@/lib/execution/ssh/agent.ts";

async function output(command: string, args: string[], env = {}): Promise<string> {
  const { stdout } = await new Deno.Command(command, { args, env, stderr: "null" }).output();
  return new TextDecoder().decode(stdout).trim();
}

/** Creates a key, and returns a function for it with a passphrase, and its public half. */
async function newKey(folder: string, name: string) {
  const file = `${folder}/${name}`;
  await output("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", name, "-f", file]);
  return {
    publicKey: (await Deno.readTextFile(`${file}.pub`)).trim(),
    async with(passphrase: string, told = passphrase): Promise<AgentKey> {
      const copy = `${folder}/${crypto.randomUUID()}`;
      await Deno.copyFile(file, copy);
      await Deno.chmod(copy, 0o600);
      await output("ssh-keygen", ["-q", "-p", "-a", "1", "-P", "", "-N", passphrase, "-f", copy]);
      const privateKey = conceal(await Deno.readTextFile(copy));
      return { name, key: { type: "ssh", login: "", passphrase: conceal(told), privateKey } };
    },
  };
}

/** Does something as a run does it. */
async function inRun(work: (context: RunContext, folder: string) => Promise<void>) {
  await using bench = await newRunBench();
  const stop = new AbortController().signal;
  const stage = { projectId: 1, name: "agent", log: silentLog, stop };
  await withContext(bench.environment, stage, (context) => work(context, bench.directory));
}

Deno.test("an agent offers all keys in order, and leaves only their public halves behind", () =>
  inRun(async (context, folder) => {
    const [a, b, c] = await Promise.all(["a", "b", "c"].map((name) => newKey(folder, name)));
    const keys = [
      await c.with("opens c"),
      await a.with(""),
      await b.with("opens b"),
      await a.with("opens a, too"),
    ];
    const agent = await startAgent(context, keys, "hosts");
    try {
      const held = await output("ssh-add", ["-L"], { SSH_AUTH_SOCK: agent.socket });
      assert.deepEqual(held.split("\n"), [c, a, b].map(({ publicKey }) => publicKey));
      const halves = agent.files.map((file) => Deno.readTextFileSync(`${file}.pub`).trim());
      assert.deepEqual(halves, [c, a, b, a].map(({ publicKey }) => publicKey));
      const left = [...Deno.readDirSync(context.directory.path)].map(({ name }) => name)
        .filter((name) => name.startsWith("hosts."));
      assert.deepEqual(left.sort(), [
        "hosts.0.pub",
        "hosts.1.pub",
        "hosts.2.pub",
        "hosts.3.pub",
        "hosts.askpass",
      ]);
    } finally {
      await agent.end();
    }
  }));

Deno.test("the key that cannot be loaded is named, and no key stays on the disk", () =>
  inRun(async (context, folder) => {
    const [a, b] = await Promise.all(["a", "b"].map((name) => newKey(folder, name)));
    const wrong = await b.with("right", "wrong");
    await assert.rejects(startAgent(context, [await a.with(""), wrong], "two"), {
      key: "errors.run.one_key",
      params: { name: "b", reason: { key: "errors.run.passphrase_wrong" } },
    });
    await assert.rejects(startAgent(context, [wrong], "one"), {
      key: "errors.run.passphrase_wrong",
    });
    const text: AgentKey = {
      name: "text",
      key: { ...wrong.key, passphrase: conceal(""), privateKey: conceal("no key\n") },
    };
    await assert.rejects(startAgent(context, [await a.with(""), text, wrong], "three"), {
      params: { name: "text", reason: { key: "errors.run.key_unreadable" } },
    });
    const left = [...Deno.readDirSync(context.directory.path)].map(({ name }) => name)
      .filter((name) => /^(one|two|three)\.\d(\.passphrase)?$/.test(name));
    assert.deepEqual(left, []);
  }));
