import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installStandIn, startRealServer } from "@/tests/support/server/real_server.ts";
import { sleep } from "@/lib/base/time/pause.ts";
import { until } from "@/tests/support/basics/until.ts";

const RECEIVER = fileURLToPath(new URL("../../support/server/notify_receiver.py", import.meta.url));

/** A datagram socket like that of systemd, and what has arrived at it. */
async function newReceiver(path: string) {
  const child = new Deno.Command("python3", { args: [RECEIVER, path], stdout: "piped" }).spawn();
  const messages: { pid: number; text: string }[] = [];
  let rest = "";
  const reading = child.stdout.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write(text) {
        const lines = (rest + text).split("\n");
        rest = lines.pop()!;
        messages.push(...lines.map((line) => JSON.parse(line)));
      },
    }),
  );
  await until(() => messages.length > 0);
  messages.length = 0;
  return {
    messages,
    count: (part: string) => messages.filter(({ text }) => text.includes(part)).length,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await reading;
    },
  };
}

Deno.test("a server notifies systemd when it is ready, while it lives, and when it stops", async () => {
  const dir = await Deno.makeTempDir({ prefix: "callboard_notify_" });
  try {
    const socket = join(dir, "notify");
    await using receiver = await newReceiver(socket);
    const server = await startRealServer({
      dataDir: join(dir, "data"),
      ansibleDir: await installStandIn(join(dir, "stand_in")),
      env: {
        NOTIFY_SOCKET: socket,
        WATCHDOG_USEC: "1000000",
        CALLBOARD_DRAIN_SECONDS: "90",
      },
    });
    await until(() => receiver.count("READY=1") === 1);
    await until(() => receiver.count("WATCHDOG=1") >= 3);
    // systemd takes messages of the main process alone.
    assert.deepEqual(new Set(receiver.messages.map(({ pid }) => pid)), new Set([server.pid]));
    assert.match(receiver.messages[0]!.text, /^STATUS=Serving\. Tasks that run here: 0$/m);
    const left = [...Deno.readDirSync(join(dir, "data"))].map(({ name }) => name);
    assert.deepEqual(left.filter((name) => name.startsWith("notify")), []);

    Deno.kill(server.pid, "SIGSTOP");
    await sleep(500);
    const before = receiver.count("WATCHDOG=1");
    await sleep(2_000);
    assert.equal(receiver.count("WATCHDOG=1"), before, "a process that stands still");
    Deno.kill(server.pid, "SIGCONT");
    await until(() => receiver.count("WATCHDOG=1") > before);

    assert.equal(await server.end("SIGTERM"), 0);
    await until(() => receiver.count("STOPPING=1") === 1);
    assert.match(receiver.messages.at(-1)!.text, /EXTEND_TIMEOUT_USEC=120000000/);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("a server starts without a socket of systemd that it can reach, and says so", async () => {
  const dir = await Deno.makeTempDir({ prefix: "callboard_notify_" });
  try {
    const server = await startRealServer({
      dataDir: join(dir, "data"),
      ansibleDir: await installStandIn(join(dir, "stand_in")),
      env: { NOTIFY_SOCKET: "@/org/freedesktop/systemd1/notify", CALLBOARD_DRAIN_SECONDS: "0" },
    });
    assert.match(server.output(), /"event":"no_service_manager"/);
    assert.equal(await server.end("SIGTERM"), 0);
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
