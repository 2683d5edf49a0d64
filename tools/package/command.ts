import { ConfigError } from "../../lib/base/settings/settings.ts";

/** Commands of the archive that are tasks of deno.json, and what they do. */
const COMMANDS = [
  "start",
  "demo",
  "user",
  "maintenance",
  "backup",
  "restore",
  "compact",
  "import",
  "secret-key",
  "config",
  "doctor",
  "runner",
];

/** The parts of deno.json that decide how a command runs. */
interface Tasks {
  tasks: Record<string, { description?: string; command?: string }>;
}

/**
 * Returns the text of `bin/callboard`. It runs each command exactly as its task of deno.json does,
 * with the same permissions, in the folder of the application.
 */
export function commandScript({ tasks }: Tasks): string {
  const names = COMMANDS.filter((name) => tasks[name]);
  const cases = names.map((name) => `  ${name})\n${bodyOf(name, tasks)}\n    ;;`);
  const help = [
    ...names.map((name) => [name, tasks[name]!.description!]),
    ["version", "Print the versions of Callboard and Deno"],
    ["help", "Print this list"],
  ].map(([name, text]) => `  ${name!.padEnd(12)}${text!.replace(/^Install.*build, and s/, "S")}`);
  return TEMPLATE.replace("CASES", () => cases.join("\n")).replace("HELP", () => help.join("\n"));
}

function bodyOf(name: string, tasks: Tasks["tasks"]): string {
  if (name === "demo") {
    return `    export CALLBOARD_DEMO=true\n    exec "$top/bin/callboard" start "$@"`;
  }
  // The task `start` only runs `serve`, without the lines in which Deno shows commands.
  const command = asShell(name, tasks[name === "start" ? "serve" : name]!.command);
  if (name !== "start") return `    ${command} "$@"`;
  // The next command needs what this one leaves behind, so only that replaces the shell.
  return `    export DENO_DIR="$data/deno"\n` +
    `    ${asShell("prepare", tasks.prepare?.command, "")}\n    ${command} "$@"`;
}

/** Options that decide where modules come from. */
const LOADING = / --(quiet|cached-only|no-config|no-remote|no-npm|unstable-[\w-]+)(?= )/g;

/** Loads only modules of the bundle, as the task `serve` does. */
const FROM_BUNDLE = "--quiet --no-config --no-remote --no-npm --unstable-kv --unstable-net " +
  "--unstable-no-legacy-abort";

/**
 * Returns a task's command for sh, whose process it takes over. The command runs the module of the
 * bundle that has the name of the task's script.
 */
function asShell(name: string, command = "", exec = "exec "): string {
  const [, env, options, script, onStderr = ""] = command.match(
    /^((?:\w+=\S+ )?)deno run( .+) (?:scripts|_fresh\/server)\/(\w+)\.[jt]s( >&2)?$/,
  ) ?? [];
  if (!options) throw new ConfigError(`The task ${name} of deno.json does not start one script.`);
  const others = options.replaceAll(LOADING, "");
  const run = `${env}${exec}"$top/lib/deno" run ${FROM_BUNDLE}${others}`;
  return `${run} _fresh/server/${script}.js${onStderr}`;
}

const TEMPLATE = `#!/bin/sh
# Runs Callboard. deno task package writes this file from the tasks of deno.json, with exactly their
# permissions.
set -eu

top=$(dirname "$(dirname "$(readlink -f "$0")")")
name=\${1:-help}
[ $# -eq 0 ] || shift

case $name in
  version | --version | -V)
    printf 'Callboard %s\\n' "$(cat "$top/VERSION")"
    exec "$top/lib/deno" --version
    ;;
  help | --help | -h)
    cat <<'END'
Usage: callboard COMMAND [OPTIONS]

HELP

CALLBOARD_DATA names the data folder. Its default is ~/.local/share/callboard. That of a runner is
CALLBOARD_RUNNER_DATA, or ~/.local/share/callboard-runner. CALLBOARD_CONFIG names the settings
file. Its default is ~/.config/callboard/callboard.env.
app/docs/settings.md lists all settings.
END
    exit
    ;;
esac

# Commands run in the folder of the application. Names of files are relative to this one.
export INIT_CWD="$PWD"
# A settings file in the folder of the application would be lost with its next version.
config=\${CALLBOARD_CONFIG-\${XDG_CONFIG_HOME:-\${HOME:-/nonexistent}/.config}/callboard/callboard.env}
case $config in
  '' | /*) ;;
  *) config=$PWD/$config ;;
esac
[ -n "\${CALLBOARD_CONFIG:-}" ] || [ -e "$config" ] || config=
export CALLBOARD_CONFIG="$config"
. "$top/app/scripts/settings.sh"
in_file() {
  (load_settings && eval "printf %s \\"\\\${$1:-}\\"")
}
case $name in
  runner) variable=CALLBOARD_RUNNER_DATA folder=callboard-runner ;;
  *) variable=CALLBOARD_DATA folder=callboard ;;
esac
given=$(in_file $variable)
data=$given
if [ -z "$data" ]; then
  if [ -z "\${XDG_DATA_HOME:-\${HOME:-}}" ]; then
    echo "Set $variable to the folder for Callboard's data." >&2
    exit 1
  fi
  data=\${XDG_DATA_HOME:-$HOME/.local/share}/$folder
fi
case $data in
  /*) ;;
  *) data=$PWD/$data ;;
esac
[ "$data" = "$given" ] || export "$variable=$data"
export DENO_NO_UPDATE_CHECK=1
# Messages name the commands of this script instead of tasks. A compose file may have its own form.
export CALLBOARD_COMMAND="\${CALLBOARD_COMMAND:-callboard}"
# Only a server keeps compiled modules: a restore needs an empty data folder.
export DENO_DIR=/dev/null/none
cd "$top/app"

case $name in
CASES
  *)
    echo "callboard has no command \\"$name\\". See: callboard help" >&2
    exit 1
    ;;
esac
`;
