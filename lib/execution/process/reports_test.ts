import assert from "node:assert/strict";
import { join } from "node:path";
import { noSandbox } from "./isolation.ts";
import { runReporting } from "./supervise.ts";
import { baseEnvironment } from "./variables.ts";

/** A socket's name is too long in the second. */
const FOLDERS = { "a folder": "run", "a folder with a long path": `${"long-".repeat(20)}run` };

/** Sets `channel` as Ansible's callback does. */
const CONNECT = `
import os, socket
address = os.environ["CALLBOARD_RESULTS"]
if address.isdigit():
    channel = socket.socket(fileno=int(address))
else:
    channel = socket.socket(socket.AF_UNIX)
    channel.connect(address)
`;

async function report(folder: string, program: string, line: string) {
  const home = await Deno.makeTempDir();
  const directory = join(home, folder);
  await Deno.mkdir(directory);
  let [output, reports] = ["", ""];
  const add = (to: (text: string) => void) => {
    const decoder = new TextDecoder();
    return (chunk: Uint8Array) => to(decoder.decode(chunk, { stream: true }));
  };
  const never = new AbortController().signal;
  try {
    const { exitCode } = await runReporting(
      {
        command: ["python3", "-c", program],
        cwd: directory,
        env: baseEnvironment("/usr/bin:/bin", directory),
        limitMs: 20_000,
      },
      { directory, sandbox: noSandbox, graceMs: 1_000, stop: never, forceStop: never },
      {
        line,
        onOutput: add((text) => output += text),
        onReport: add((text) => reports += text),
      },
    );
    return { exitCode, output, reports, left: [...Deno.readDirSync(directory)] };
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

for (const [name, folder] of Object.entries(FOLDERS)) {
  Deno.test(`a command in ${name} finds its line first, and is heard to its end`, async () => {
    const program = `${CONNECT}
print(channel.recv(100).decode())
channel.sendall(b"x" * 1000000)
channel.sendall(b"last")
`;
    const { output, reports, exitCode } = await report(folder, program, "the line");
    assert.deepEqual([exitCode, output], [0, "the line\n\n"]);
    assert.equal(reports, `${"x".repeat(1_000_000)}last`);
  });

  Deno.test(`a command in ${name} may end without having read its line`, async () => {
    const long = "x".repeat(4_000_000);
    assert.equal((await report(folder, "", long)).exitCode, 0);
    assert.equal((await report(folder, CONNECT, long)).exitCode, 0);
  });
}

Deno.test("no one else of the account connects once the command has", async () => {
  const program = `import os
print(oct(os.stat(os.environ["CALLBOARD_RESULTS"]).st_mode & 0o777))
${CONNECT}
channel.recv(100)
print(os.path.exists(address))
try:
    socket.socket(socket.AF_UNIX).connect(address)
except OSError as error:
    print(type(error).__name__)
`;
  const { output, left } = await report("run", program, "the line");
  assert.equal(output, "0o600\nFalse\nFileNotFoundError\n");
  assert.deepEqual(left.map(({ name }) => name), ["pids"]);
});

Deno.test("the first of several processes that connect at the same time is heard", async () => {
  const program = `${CONNECT}
others = []
for _ in range(3):
    try:
        others.append(socket.socket(socket.AF_UNIX))
        others[-1].connect(address)
        others[-1].send(b"forged")
    except OSError:
        pass
channel.recv(100)
channel.sendall(b"told")
`;
  const { reports } = await report("run", program, "the line");
  assert.equal(reports, "told");
});
