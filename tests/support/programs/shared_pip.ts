import { join } from "node:path";
import { ROOT } from "@/tests/support/basics/walk.ts";

/** Names under which a build of a toolchain looks for Python. */
const NAMES = ["python3", ...Array.from({ length: 10 }, (_, n) => `python3.${9 + n}`)];

/**
 * Prints itself as the program, so that it makes the virtualenv, too. Those that it makes share one
 * pip in `data/pip`: unpacking and compiling it takes most of the time of a build.
 */
const SCRIPT = (path: string) => `
PATH='${path}'
case "$1 $2" in
  "-c import"*) "$real" "$@" | sed "s| .*| $0|" ;;
  "-m venv")
    shared=$store/$("$real" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])')
    if [ ! -d "$shared" ]; then
      "$real" -m venv "$shared.$$" && mv -T "$shared.$$" "$shared" || rm -rf "$shared.$$"
    fi
    # An isolated build can leave nothing there.
    [ -d "$shared" ] || exec "$real" -m venv "$3"
    "$real" -m venv --without-pip "$3" &&
      ln -s "$shared"/lib/python3.*/site-packages/pip "$3"/lib/python3.*/site-packages/
    ;;
  *) exec "$real" "$@" ;;
esac
`;

/** Returns the PATH with Pythons in front, in the folder, whose virtualenvs share one pip. */
export async function withSharedPip(folder: string, path: string): Promise<string> {
  const store = join(ROOT, "data", "pip");
  await Deno.mkdir(store, { recursive: true });
  await Deno.mkdir(folder);
  for (const name of NAMES) {
    const args = ["-c", 'command -v "$1"', "sh", name];
    const { success, stdout } = await new Deno.Command("sh", { args, env: { PATH: path } })
      .output();
    if (!success) continue;
    const real = new TextDecoder().decode(stdout).trim();
    const script = `#!/bin/sh\nreal='${real}'\nstore='${store}'${SCRIPT(path)}`;
    await Deno.writeTextFile(join(folder, name), script, { mode: 0o755 });
  }
  return `${folder}:${path}`;
}
