import { fileURLToPath } from "node:url";
import type { MachineTools } from "../../base/machine/machine_tools.ts";
import { shellWithin } from "../process/shell.ts";
import { type CommandEnvironment, tryCommand } from "../process/try_command.ts";

export const CONTAINER = fileURLToPath(new URL("./container.sh", import.meta.url));

/**
 * Sets `uv` to its path or "-". `probe PROGRAM` prints the version and the path of a Python that
 * builds can use.
 */
export const PROBE = `uv=$(command -v uv) || uv=-
modules=sys
[ "$uv" != - ] || modules=sys,venv,ensurepip
probe() {
  "$1" -c "import $modules
print('%d.%d' % sys.version_info[:2], sys.executable)" 2>/dev/null
}`;

/** Releases of Python 3 that are looked for: the oldest that any toolchain can need, and on. */
const RELEASES = Array.from({ length: 20 }, (_, n) => `python3.${8 + n}`);

/** Prints the version of uv, or a blank line, then one line for each Python. */
const LIST = `${PROBE}
uv --version 2>/dev/null || echo
for name in python3 ${RELEASES.join(" ")}; do
  python=$(command -v "$name") && probe "$python"
done
exit 0`;

/**
 * Prints the version of podman if it can list containers. `podman info` takes five times as long,
 * because it looks up the packages of its parts.
 */
const PODMAN = `sh "$1" "$2" "" ps --quiet >/dev/null &&
  exec sh "$1" "$2" "" version --format="{{.Client.Version}}"`;

const LIMIT_MS = 10_000;

/** Looks for the programs as builds and runs do. */
export async function findTools(env: CommandEnvironment): Promise<MachineTools> {
  const [{ stdout }, { success, stdout: version }] = await Promise.all([
    tryCommand(env, ["sh", "-c", LIST]),
    shellWithin(LIMIT_MS, PODMAN, CONTAINER, env.path),
  ]);
  const [uv = "", ...found] = stdout.split("\n");
  const pythons = new Set(found.filter(Boolean).map((line) => line.split(" ", 1)[0]));
  return {
    pythons: [...pythons].toSorted((a, b) => Number(a.slice(2)) - Number(b.slice(2))),
    uv: /^uv (\S+)/.exec(uv)?.[1] ?? null,
    podman: success ? version.trim() : null,
  };
}
