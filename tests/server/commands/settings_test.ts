import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

/** Starts a script with settings and words, one of which it should refuse. Returns its output. */
async function start(path: string, env: Record<string, string>, ...words: string[]) {
  const data = await Deno.makeTempDir({ prefix: "callboard_settings_" });
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "-A",
      fileURLToPath(new URL(`../../../${path}`, import.meta.url)),
      ...words,
    ],
    env: { ...env, CALLBOARD_DATA: data, NO_COLOR: "1" },
  }).output();
  await Deno.remove(data, { recursive: true });
  return { code, said: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

Deno.test("a wrong setting ends in a sentence, not in a stack, whatever is started", async () => {
  for (const script of ["scripts/setup.ts", "_fresh/server/serve.js", "tools/dev.ts"]) {
    const { code, said } = await start(script, { CALLBOARD_GLOBAL_ALIAS: "short" });
    assert.equal(code, 1, script);
    assert.match(said, /^CALLBOARD_GLOBAL_ALIAS must be 16 to 200 letters/m, script);
    assert.doesNotMatch(said, /\n\s+at |Uncaught/, `${script}: ${said}`);
  }
});

Deno.test("a mistyped setting stops whatever is started, with the setting that was meant", async () => {
  const commands = [
    "backup",
    "compact",
    "import",
    "maintenance",
    "prepare",
    "restore",
    "secret_key",
    "user",
  ];
  const scripts = [
    "tools/dev.ts",
    ...["setup", ...commands].map((name) => `scripts/${name}.ts`),
    ...commands.map((name) => `_fresh/server/${name}.js`),
  ];
  for (const script of scripts) {
    const { code, said } = await start(script, { CALLBOARD_PROT: "3001" });
    assert.equal(code, 1, script);
    assert.match(said, /^CALLBOARD_PROT is not a setting. Did you mean CALLBOARD_PORT\?$/m);
  }
});

Deno.test("a word or an option that a command does not know is named in a sentence", async () => {
  for (const [script, word] of [["backup", "/tmp/x"], ["restore", "--chekc"], ["user", "--nmae"]]) {
    const { code, said } = await start(`scripts/${script}.ts`, {}, word);
    assert.equal(code, 1, script);
    assert.match(said, new RegExp(`^(Unexpected argument|Unknown option) '${word}'`), script);
    assert.doesNotMatch(said, /\n\s+at |"stack"/, `${script}: ${said}`);
  }
});
