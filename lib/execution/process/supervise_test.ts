import assert from "node:assert/strict";
import { until } from "@/tests/support/basics/until.ts";
import { noSandbox } from "./isolation.ts";
import { collectProcess, runProcess } from "./supervise.ts";
import { baseEnvironment } from "./variables.ts";
import { removeFolder } from "@/tests/support/basics/remove_folder.ts";

interface Bench {
  directory: string;
  run(script: string, options?: Partial<RunOptions>): ReturnType<typeof runProcess>;
  output(): string;
}
interface RunOptions {
  stop: AbortSignal;
  forceStop: AbortSignal;
  graceMs: number;
  limitMs: number;
}
const never = new AbortController().signal;

function bench(name: string, fn: (bench: Bench) => Promise<void>) {
  Deno.test(name, async () => {
    const directory = await Deno.makeTempDir();
    let output = "";
    try {
      await fn({
        directory,
        output: () => output,
        run: (script, { stop = never, forceStop = never, graceMs = 5000, limitMs = 0 } = {}) => {
          const decoder = new TextDecoder();
          return runProcess(
            {
              command: ["sh", "-c", script],
              cwd: directory,
              env: baseEnvironment("/usr/bin:/bin", directory),
              limitMs,
            },
            { directory, sandbox: noSandbox, graceMs, stop, forceStop },
            (chunk) => void (output += decoder.decode(chunk, { stream: true })),
          );
        },
      });
    } finally {
      await removeFolder(directory);
    }
  });
}

/** Whether a process lives. One that ended but was not waited for does not. */
function lives(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(Deno.readTextFileSync(`/proc/${pid}/stat`));
  } catch {
    return false;
  }
}

bench("both streams come in their order, and the exit code is the command's", async (bench) => {
  const end = await bench.run("echo one; echo two >&2; echo three; exit 7");
  assert.equal(bench.output(), "one\ntwo\nthree\n");
  assert.deepEqual(end, { exitCode: 7, limitReached: false });
});

bench("a command has no input, and nothing of the server's environment", async (bench) => {
  Deno.env.set("SERVER_TEST_SECRET", "do not pass on");
  await bench.run("cat; env");
  const names = bench.output().trim().split("\n").map((line) => line.split("=")[0]).sort();
  assert.deepEqual(names, ["CALLBOARD_PROCESS", "HOME", "LANG", "LC_ALL", "PATH", "PWD"]);
});

bench("a stop ends the whole group, with time to tidy up", async (bench) => {
  const stop = new AbortController();
  const run = bench.run(
    "trap 'echo tidied; exit 0' TERM; sleep 100 & echo $!; while :; do wait; done",
    { stop: stop.signal },
  );
  await until(() => bench.output().includes("\n"));
  stop.abort();
  assert.equal((await run).exitCode, 0);
  assert.match(bench.output(), /tidied/);
  await until(() => !lives(Number(bench.output().split("\n")[0])));
});

bench("a command that halts its supervisor is killed, and so is the supervisor", async (bench) => {
  const stop = new AbortController();
  const run = bench.run("kill -STOP $PPID; echo $PPID; sleep 100 & echo $!; wait", {
    forceStop: stop.signal,
  });
  await until(() => bench.output().split("\n").length > 2);
  stop.abort();
  assert.equal((await run).exitCode, 137);
  const left = () => bench.output().trim().split("\n").map(Number).filter(lives);
  await until(() => left().length === 0).catch(() => assert.deepEqual(left(), []));
});

bench("a command that ignores TERM is killed after the grace time", async (bench) => {
  const stop = new AbortController();
  const run = bench.run("trap '' TERM; echo ready; while :; do sleep 1; done", {
    stop: stop.signal,
    graceMs: 300,
  });
  await until(() => bench.output().includes("ready"));
  const stoppedAt = performance.now();
  stop.abort();
  assert.equal((await run).exitCode, 137);
  const tookMs = performance.now() - stoppedAt;
  assert.ok(tookMs >= 290, `${tookMs} ms`);
});

bench("a forced stop kills at once, also during the grace time", async (bench) => {
  const [stop, forceStop] = [new AbortController(), new AbortController()];
  const run = bench.run("trap '' TERM; echo ready; while :; do sleep 1; done", {
    stop: stop.signal,
    forceStop: forceStop.signal,
    graceMs: 60_000,
  });
  await until(() => bench.output().includes("ready"));
  stop.abort();
  forceStop.abort();
  assert.equal((await run).exitCode, 137);
});

bench("a command that is stopped before it began ends all the same", async (bench) => {
  const end = await bench.run("sleep 100", { stop: AbortSignal.abort() });
  assert.notEqual(end.exitCode, 0);
});

bench("a command that takes longer than its limit is ended, and that is told", async (bench) => {
  const end = await bench.run("sleep 100", { limitMs: 100 });
  assert.equal(end.limitReached, true);
});

bench("what a command leaves behind in its group is killed", async (bench) => {
  await bench.run("sleep 100 & echo $!");
  const pid = Number(bench.output());
  await until(() => !lives(pid));
});

/** A process that leaves the group and ignores TERM, with a child that has lost its variables. */
const GETS_AWAY = `setsid sh -c '
  trap "" TERM
  env -i sleep 100 &
  echo $$ $! >away
  while :; do sleep 0.1; done
' >/dev/null 2>&1 &
while [ ! -s away ]; do :; done
cat away
`;
const pidsOf = (text: string) => text.trim().split(" ").map(Number);

bench("what left the group of a command is ended with it when it is stopped", async (bench) => {
  for (const name of ["stop", "forceStop"] as const) {
    await Deno.remove(`${bench.directory}/away`).catch(() => {});
    const controller = new AbortController();
    const before = bench.output().length;
    const run = bench.run(`${GETS_AWAY} exec sleep 100`, {
      [name]: controller.signal,
      graceMs: 1000,
    });
    await until(() => bench.output().slice(before).includes("\n"));
    const pids = pidsOf(bench.output().slice(before));
    assert.deepEqual(pids.map(lives), [true, true]);
    controller.abort();
    await run;
    assert.deepEqual(pids.map(lives), [false, false], name);
  }
});

bench("what left the group of a command lives on when that ends by itself", async (bench) => {
  await bench.run(`${GETS_AWAY} exit 1`);
  const pids = pidsOf(bench.output());
  assert.deepEqual(pids.map(lives), [true, true]);
  pids.forEach((pid) => Deno.kill(pid, "SIGKILL"));
});

bench("a process that got away and holds the pipe open does not hold the run", async (bench) => {
  const startedAt = performance.now();
  const end = await bench.run(
    `setsid sh -c 'echo $$ >away; exec sleep 100' & while [ ! -s away ]; do :; done; echo last line`,
  );
  assert.equal(end.exitCode, 0);
  assert.equal(bench.output(), "last line\n");
  const tookMs = performance.now() - startedAt;
  assert.ok(tookMs < 50_000, `${tookMs} ms`);
  const away = Number(Deno.readTextFileSync(`${bench.directory}/away`));
  Deno.kill(away, "SIGKILL");
});

bench("one that got away and goes on writing does not hold the run either", async (bench) => {
  const script = "setsid sh -c 'echo $$ >away; exec yes' & while [ ! -s away ]; do :; done";
  const end = await bench.run(script);
  assert.equal(end.exitCode, 0);
  Deno.kill(Number(Deno.readTextFileSync(`${bench.directory}/away`)), "SIGKILL");
});

bench("output is complete though it is taken slower than the command ends", async (bench) => {
  let bytes = 0;
  await runProcess(
    {
      command: ["sh", "-c", "head -c 60000 /dev/zero"],
      cwd: bench.directory,
      env: baseEnvironment("/usr/bin:/bin", bench.directory),
      limitMs: 0,
    },
    {
      directory: bench.directory,
      sandbox: noSandbox,
      graceMs: 1000,
      stop: never,
      forceStop: never,
    },
    async (chunk) => {
      await new Promise((resolve) => setTimeout(resolve, 2500));
      bytes += chunk.length;
    },
  );
  assert.equal(bytes, 60_000);
});

bench(
  "when its output cannot be taken, a command is killed and the failure is thrown",
  async (bench) => {
    const run = runProcess(
      { command: ["sh", "-c", "echo out; sleep 100"], cwd: "/", env: { PATH: "/bin" }, limitMs: 0 },
      {
        directory: bench.directory,
        sandbox: noSandbox,
        graceMs: 1000,
        stop: never,
        forceStop: never,
      },
      () => Promise.reject(new Error("the store is full")),
    );
    await assert.rejects(run, /the store is full/);
  },
);

bench("a command that is not there says so", async (bench) => {
  const end = await collectProcess(
    { command: ["no-such-command"], cwd: bench.directory, env: { PATH: "/bin" }, limitMs: 0 },
    {
      directory: bench.directory,
      sandbox: noSandbox,
      graceMs: 1000,
      stop: never,
      forceStop: never,
    },
  );
  assert.equal(end.exitCode, 127);
  assert.match(end.stderr, /no-such-command/);
});

bench("when the server is killed, its commands end, and no supervisor stays", async (bench) => {
  const program = `
    import { runProcess } from ${JSON.stringify(new URL("./supervise.ts", import.meta.url).href)};
    const never = new AbortController().signal;
    await runProcess(
      { command: ["sh", "-c", "sleep 101 & echo $! $$ $PPID; trap '' TERM; while :; do sleep 1; done"],
        cwd: "/", env: { PATH: "/usr/bin:/bin" }, limitMs: 0 },
      { directory: ${JSON.stringify(bench.directory)}, sandbox: ${JSON.stringify(noSandbox)},
        graceMs: 1000, stop: never, forceStop: never },
      (chunk) => Deno.stdout.write(chunk),
    );`;
  const server = new Deno.Command(Deno.execPath(), {
    args: ["eval", program],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = server.stdout.getReader();
  const { value } = await reader.read();
  const pids = new TextDecoder().decode(value).trim().split(" ").map(Number);
  assert.equal(pids.length, 3);
  assert.ok(pids.every(lives));
  server.kill("SIGKILL");
  await server.status;
  await reader.cancel();
  await until(() => !pids.some(lives));
});
