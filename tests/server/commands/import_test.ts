import assert from "node:assert/strict";
import { ROOT } from "@/tests/support/basics/walk.ts";

const SHOP = "Shop \u202egpj\u001b]0;owned\u0007\nadmin";

/** Answers of another server, by the path below its API. */
const ANSWERS: Record<string, unknown> = {
  "/users": [
    { username: "gina", name: "Gina", email: "gina@example.org", admin: true },
    { username: "hans", name: "Hans", email: "hans@example.org", admin: false },
  ],
  "/projects": [{ id: 1, name: SHOP }],
  "/project/1": { id: 1, name: "Shop" },
  "/project/1/keys": [{ id: 1, name: "None", type: "none" }],
  "/project/1/repositories": [
    { id: 1, name: "Plays", git_url: "/srv/plays", git_branch: "", ssh_key_id: 1 },
  ],
  "/project/1/templates": [{ id: 1 }],
  "/project/1/templates/1": {
    id: 1,
    name: "Cloud\u001b[2J",
    app: "terraform",
    playbook: "main.tf",
    repository_id: 1,
  },
};

/** Returns the output of the command for a server with those answers, without a terminal. */
async function importing(...flags: string[]): Promise<{ code: number; text: string }> {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_import_" });
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
    const answer = ANSWERS[new URL(url).pathname.replace(/^\/api/, "")];
    return answer === undefined ? new Response(null, { status: 404 }) : Response.json(answer);
  });
  try {
    const env = { CALLBOARD_DATA: dataDir };
    const run = async (...args: string[]) => {
      const command = new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "-A", ...args],
        cwd: ROOT,
        env,
        stdin: "null",
      });
      const { code, stdout, stderr } = await command.output();
      return { code, text: new TextDecoder().decode(new Uint8Array([...stdout, ...stderr])) };
    };
    const admin = [
      "--admin",
      "--login",
      "root",
      "--name",
      "Root",
      "--email",
      "root@example.org",
      "--password",
      "only for tests",
    ];
    await run("scripts/user.ts", "add", ...admin);
    const url = `http://127.0.0.1:${server.addr.port}`;
    return await run("scripts/import.ts", "semaphore", "--url", url, "--token", "x", ...flags);
  } finally {
    await server.shutdown();
    await Deno.remove(dataDir, { recursive: true });
  }
}

Deno.test("an import reports reasons in sentences, names as they are, and people who are not admins here", async () => {
  const { code, text } = await importing();
  assert.equal(code, 0, text);
  assert.match(text, /templates "Cloud\\x1b\[2J": name: This must not contain control characters/);
  assert.doesNotMatch(text, /\[object Object\]/);
  assert.match(text, /\[1\/1\] Shop \\u202egpj\\x1b\]0;owned\\x07\\nadmin\n/);
  // deno-lint-ignore no-control-regex -- these must not appear
  assert.doesNotMatch(text, /[\u001b\u0007\u202e]/);
  assert.match(text, /Not administrators here\. .*\n {2}gina\n/);
});

Deno.test("with --admins, administrators of the other server are administrators here", async () => {
  const { code, text } = await importing("--admins");
  assert.equal(code, 0, text);
  assert.match(text, /^Administrators: gina$/m);
});
