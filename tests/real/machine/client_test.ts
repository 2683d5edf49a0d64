import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { newGitRepository } from "@/tests/support/services/git_repository.ts";
import { ADMIN, installStandIn, startRealServer } from "@/tests/support/server/real_server.ts";

const CLIENT = fileURLToPath(new URL("./client_test.py", import.meta.url));

Deno.test("a client of the API, written without knowing this server, gets what it relies on", async () => {
  const home = await Deno.makeTempDir({ prefix: "callboard_contract_" });
  const repository = await newGitRepository(join(home, "repository"));
  await repository.commit({ "site.yml": "- hosts: all\n  tasks: []\n" }, "First play");
  const server = await startRealServer({
    dataDir: join(home, "data"),
    ansibleDir: await installStandIn(join(home, "bin")),
  });
  try {
    const { code, stderr } = await new Deno.Command("python3", {
      args: ["-B", CLIENT],
      env: {
        CALLBOARD_TEST_URL: server.url,
        CALLBOARD_TEST_LOGIN: ADMIN.login,
        CALLBOARD_TEST_PASSWORD: ADMIN.password,
        CALLBOARD_TEST_REPOSITORY: repository.url,
      },
    }).output();
    assert.equal(code, 0, `${new TextDecoder().decode(stderr)}\n${server.output()}`);
  } finally {
    await server.end("SIGTERM");
    await Deno.remove(home, { recursive: true });
  }
});
