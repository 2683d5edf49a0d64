import { join } from "node:path";
import { installStandIn } from "../../tests/support/server/real_server.ts";

/** Ends immediately, or runs the stand-in, or has `PRINTS` print first. Bash starts slowly. */
const SCRIPT = `#!/bin/sh
[ -z "\${BENCH_NOOP-}" ] || exit 0
[ -z "\${BENCH_LINES-}\${BENCH_CLOCK-}\${BENCH_SECONDS-}" ] || exec bash "$0-prints" "$@"
exec "$0-stand-in" "$@"
`;

/**
 * Prints lines of about 100 bytes as fast as possible, or the time every 10 ms, or a thousand lines
 * a second for a number of seconds. Then runs the stand-in.
 */
const PRINTS = `
if [ -n "\${BENCH_LINES-}" ]; then
  awk -v lines="$BENCH_LINES" 'BEGIN {
    for (n = 1; n <= lines; n++)
      print "ok: [web" n % 50 ".example.com] => (item=/etc/callboard/conf.d/" n ".conf owner=root mode=0644)"
  }'
elif [ -n "\${BENCH_CLOCK-}" ]; then
  for ((n = 0; n < BENCH_CLOCK; n++)); do
    echo "written at $EPOCHREALTIME"
    sleep 0.01
  done
elif [ -n "\${BENCH_SECONDS-}" ]; then
  for ((n = 0; n < BENCH_SECONDS * 10; n++)); do
    printf 'ok: [web%d.example.com] => (item=/etc/callboard/conf.d/all.conf owner=root)\n' {1..100}
    sleep 0.1
  done
fi
exec "\${0%-prints}-stand-in" "$@"
`;

/** Creates a folder with an \`ansible-playbook\` that does little except the measured work. */
export async function installPlaybook(directory: string): Promise<string> {
  await installStandIn(directory);
  const path = join(directory, "ansible-playbook");
  await Deno.rename(path, `${path}-stand-in`);
  await Deno.writeTextFile(path, SCRIPT, { mode: 0o755 });
  await Deno.writeTextFile(`${path}-prints`, PRINTS);
  return directory;
}
