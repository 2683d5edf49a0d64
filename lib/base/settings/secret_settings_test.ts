import assert from "node:assert/strict";
import { join } from "node:path";
import { ConfigError } from "./settings.ts";
import { withSecretFiles } from "./secret_settings.ts";

const directory = await Deno.makeTempDir({ prefix: "callboard_secret_settings_" });
Deno.test.afterAll(() => Deno.remove(directory, { recursive: true }));

/** Writes a file and returns its path. */
async function fileOf(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await Deno.writeTextFile(path, text);
  return path;
}

const read = (variables: Record<string, string>) =>
  withSecretFiles({ get: (name) => variables[name] });

Deno.test("a secret comes from its variable, its file or a credential of systemd", async () => {
  const file = await fileOf("password", "from a file \r\n");
  await fileOf("CALLBOARD_METRICS_TOKEN", "from-systemd\n");
  const env = await read({
    CALLBOARD_HOST: "::1",
    CALLBOARD_WEBHOOK_SECRET: "from the variable",
    CALLBOARD_ADMIN_PASSWORD_FILE: file,
    CREDENTIALS_DIRECTORY: directory,
  });
  assert.equal(env.get("CALLBOARD_HOST"), "::1");
  assert.equal(env.get("CALLBOARD_WEBHOOK_SECRET"), "from the variable");
  assert.equal(env.get("CALLBOARD_ADMIN_PASSWORD"), "from a file ");
  assert.equal(env.get("CALLBOARD_METRICS_TOKEN"), "from-systemd");
  assert.equal(env.get("CALLBOARD_SMTP_URL"), undefined);
});

Deno.test("a secret with two sources, or without a usable file, is refused by its name", async () => {
  const file = await fileOf("token", "one");
  await fileOf("CALLBOARD_TELEGRAM_TOKEN", "two");
  const refusals: [Record<string, string>, RegExp][] = [
    [
      { CALLBOARD_WEBHOOK_SECRET: "one", CALLBOARD_WEBHOOK_SECRET_FILE: file },
      /^CALLBOARD_WEBHOOK_SECRET and CALLBOARD_WEBHOOK_SECRET_FILE are both set$/,
    ],
    [
      { CALLBOARD_TELEGRAM_TOKEN_FILE: file, CREDENTIALS_DIRECTORY: directory },
      /^CALLBOARD_TELEGRAM_TOKEN_FILE and the credential CALLBOARD_TELEGRAM_TOKEN are both set$/,
    ],
    [{ CALLBOARD_SMTP_URL_FILE: join(directory, "gone") }, /_URL_FILE: .*the file does not exist$/],
    [
      { CALLBOARD_SMTP_URL_FILE: await fileOf("empty", "\n") },
      /CALLBOARD_SMTP_URL_FILE.*is empty$/,
    ],
  ];
  for (const [variables, message] of refusals) {
    await assert.rejects(read(variables), (error) => {
      assert.ok(error instanceof ConfigError);
      assert.match(error.message, message);
      return true;
    });
  }
});
