import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import denoJson from "@/deno.json" with { type: "json" };
import { unknownSettings } from "@/lib/base/settings/known_settings.ts";
import { SECRET_SETTINGS } from "@/lib/base/settings/secret_settings.ts";
import { parse } from "@/tests/packages/yaml.ts";

const FOLDER = fileURLToPath(new URL("../../packaging/compose", import.meta.url));

interface Service {
  image: string;
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  depends_on?: string[] | Record<string, unknown>;
  [option: string]: unknown;
}

for (const name of ["compose.yaml", "compose.shared.yaml"]) {
  Deno.test(`${name} confines its servers, and names only settings and secrets that exist`, async () => {
    const { services, secrets, volumes } = parse(
      await Deno.readTextFile(join(FOLDER, name)),
      { merge: true },
    );
    const all = Object.values<Service>(services);
    for (const { volumes: mounts = [], secrets: used = [], depends_on = [] } of all) {
      const named = mounts.map((mount) => mount.split(":")[0]!);
      for (const volume of named) assert.ok(volume.startsWith("./") || volume in volumes, volume);
      for (const secret of used) assert.ok(secret in secrets, secret);
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      for (const service of needed) assert.ok(service in services, service);
    }
    for (const secret of Object.keys(secrets)) assert.ok(SECRET_SETTINGS.includes(secret), secret);

    const servers = all.filter(({ image }) => image.includes("CALLBOARD_VERSION"));
    assert.ok(servers.length > 0);
    for (const { image, environment, read_only, cap_drop, security_opt } of servers) {
      assert.ok(image.endsWith(`:\${CALLBOARD_VERSION:-${denoJson.version}}`), image);
      assert.deepEqual([read_only, cap_drop], [true, ["ALL"]]);
      assert.deepEqual(security_opt, ["no-new-privileges:true"]);
      assert.deepEqual(unknownSettings(Object.keys(environment!)), []);
      const service = environment!.CALLBOARD_COMMAND?.match(/ run --rm (\S+)$/)?.[1];
      assert.ok(servers.includes(services[service!]), environment!.CALLBOARD_COMMAND);
    }
    // Two servers must not have one data folder.
    const folders = servers.flatMap(({ volumes: mounts = [] }) => mounts);
    assert.equal(new Set(folders).size, servers.length);
  });
}
