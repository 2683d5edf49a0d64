import { succeeds } from "../scripts/command.ts";
import { installTools, type Tool } from "../scripts/debian.ts";

/** Tools that tests of packages need, and the Debian package of each. */
const TOOLS: Tool[] = [
  ["/usr/bin/promtool", "prometheus"],
  ["/usr/sbin/nginx", "nginx"],
  ["/usr/bin/caddy", "caddy"],
  ["/usr/sbin/apache2", "apache2-bin"],
  ["/usr/bin/buildah", "buildah"],
  ["/usr/bin/podman", "podman"],
  ["/usr/sbin/runc", "runc"],
  ["/usr/sbin/debootstrap", "debootstrap"],
  ["/usr/bin/bwrap", "bubblewrap"],
  ["/usr/bin/curl", "curl"],
  ["/usr/bin/jq", "jq"],
  ["/usr/bin/rpmbuild", "rpm"],
  ["/usr/bin/systemd-nspawn", "systemd-container"],
  // The archive for arm64 runs in an emulator.
  ["/usr/bin/qemu-aarch64-static", "qemu-user-static"],
  ["/usr/aarch64-linux-gnu/lib/libc.so.6", "libc6-arm64-cross"],
  ["/usr/aarch64-linux-gnu/lib/libgcc_s.so.1", "libgcc-s1-arm64-cross"],
];

const FOLDER = "tests/packages";
const TEST_LIMIT_MS = 60 * 60_000;

async function allTests(): Promise<string[]> {
  const names = (await Array.fromAsync(Deno.readDir(FOLDER))).map(({ name }) => name);
  return names.filter((name) => name.endsWith("_test.ts")).sort().map((name) =>
    `${FOLDER}/${name}`
  );
}

await installTools(TOOLS);
const tests = Deno.args.length > 0 ? Deno.args : await allTests();
const command = [Deno.execPath(), "task", "test", ...tests];
if (!await succeeds(command, { limitMs: TEST_LIMIT_MS })) Deno.exit(1);
