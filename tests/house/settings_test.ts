import assert from "node:assert/strict";
import { join } from "node:path";
import { requireKnownSettings, SETTINGS } from "@/lib/base/settings/known_settings.ts";
import { SETTING_KINDS, settingsOf } from "@/lib/base/settings/setting_kinds.ts";
import { readReference } from "@/lib/web/system/settings_reference.ts";
import { SECRET_SETTINGS } from "@/lib/base/settings/secret_settings.ts";
import { readProviders } from "@/lib/oidc/read_settings.ts";
import { ROOT, walk } from "@/tests/support/basics/walk.ts";

const KINDS: Record<string, string> = SETTING_KINDS;

/** Files with variables that are not settings. */
const NO_SETTINGS = [
  "scripts/ansible/wheels.ts",
  ...[
    "lib/base/settings/known_settings.ts",
    "lib/base/machine/operator_command.ts",
    "lib/base/settings/config_file.ts",
  ],
];

/** Returns the variables that the code reads, except those that it gives to playbooks. */
async function readVariables(): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const file of walk(ROOT, /^(lib|scripts)\/.*\.ts$|^main\.ts$/)) {
    if (file.endsWith("_test.ts") || NO_SETTINGS.includes(file)) continue;
    const text = await Deno.readTextFile(join(ROOT, file));
    for (const [, name] of text.matchAll(/["'](CALLBOARD_[A-Z_]+)["']/g)) names.add(name);
  }
  for (const name of settingsOf("secret")) names.add(name);
  // The names of a provider's variables are derived from the list of known settings.
  await readProviders({ get: (name) => void names.add(name) });
  return names;
}

Deno.test("docs/settings.md and the list of known settings have every setting, and no other", async () => {
  const document = await Deno.readTextFile(join(ROOT, "docs/settings.md"));
  const listed = [...document.matchAll(/^\| `(CALLBOARD_[A-Z_]+)`/gm)].map(([, name]) => name);
  assert.deepEqual(listed.toSorted(), [...await readVariables()].toSorted());
  assert.deepEqual(SETTINGS.toSorted(), listed.toSorted());
});

Deno.test("docs/settings.md names each secret that can come from a file", async () => {
  const document = await Deno.readTextFile(join(ROOT, "docs/settings.md"));
  const [sentence] = document.match(/This works for [^.]*\./)!;
  const named = [...sentence.matchAll(/`([A-Z_]+)`/g)]
    .map(([, name]) => name.replace(/^_/, "CALLBOARD_"));
  assert.deepEqual(named, SECRET_SETTINGS);
});

Deno.test("a mistyped setting is refused, and the nearest one is named", () => {
  assert.throws(
    () => requireKnownSettings(["PATH", "CALLBOARD_PROT", "CALLBOARD_KEEP_TASKS_DAYS"]),
    /CALLBOARD_PROT is not a setting. Did you mean CALLBOARD_PORT\?.*KEEP_TASK_DAYS/s,
  );
  // The variables of a task's processes, of Kubernetes, and of every setting.
  requireKnownSettings(["CALLBOARD_RESULTS", "CALLBOARD_SERVICE_HOST", "CALLBOARD_PORT_80_TCP"]);
  requireKnownSettings([
    ...SETTINGS,
    "CALLBOARD_SMTP_URL_FILE",
    "CALLBOARD_OIDC_CLIENT_SECRET_FILE",
  ]);
});

/** Words by which docs/settings.md describes a value that is a path, and ends of such names. */
const PATH_WORDS =
  /\b(files?|folders?|path|program|keyring|socket|certificates?|PEM|credentials?)\b/i;
const PATH_NAMES = /_(FILES?|FOLDER|DIR|DATA|TO|PATH|SOCKET|COMMAND|KEYRING|CERT|CERTIFICATE)$/;
/** Settings that are described with such a word, though they name nothing on the machine. */
const NO_PATHS = [
  "CALLBOARD_SOCKET_MODE",
  "CALLBOARD_URL",
  "CALLBOARD_UPGRADE_BACKUP",
];

Deno.test("a setting that names something on the machine has a kind, by which tasks are kept away", async () => {
  const settings = (await readReference()).flatMap((section) => section.settings);
  const undecided = settings.filter(({ name, meaning }) =>
    (PATH_WORDS.test(meaning) || PATH_NAMES.test(name)) && KINDS[name] === "text"
  );
  assert.deepEqual(undecided.map(({ name }) => name), NO_PATHS);
});
