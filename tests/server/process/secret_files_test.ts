import assert from "node:assert/strict";
import { join } from "node:path";
import { ADMIN, startRealServer } from "@/tests/support/server/real_server.ts";

Deno.test("a server reads its secrets from files and systemd's credentials, without more rights", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "callboard_secret_files_" });
  const secretsDir = await Deno.makeTempDir({ prefix: "callboard_secrets_" });
  await Deno.writeTextFile(join(secretsDir, "admin"), `${ADMIN.password}\n`);
  await Deno.writeTextFile(join(secretsDir, "CALLBOARD_METRICS_TOKEN"), "for-prometheus\n");
  const server = await startRealServer({
    dataDir,
    env: {
      CALLBOARD_ADMIN_PASSWORD: "",
      CALLBOARD_ADMIN_PASSWORD_FILE: join(secretsDir, "admin"),
      CREDENTIALS_DIRECTORY: secretsDir,
    },
  });
  try {
    // The start has signed in with the password of the file.
    assert.equal((await server.api("GET", "/api/user")).body.username, ADMIN.login);
    const headers = { Authorization: "Bearer for-prometheus" };
    const metrics = await fetch(new URL("/metrics", server.url), { headers });
    assert.equal(metrics.status, 200);
    await metrics.body?.cancel();
  } finally {
    await server.end("SIGTERM");
    for (const path of [dataDir, secretsDir]) await Deno.remove(path, { recursive: true });
  }
});
