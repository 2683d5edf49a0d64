import { join } from "node:path";

/**
 * A stand-in of podman, whose containers see the programs of this machine and what is mounted, and
 * nothing else. `called` has the arguments of each call.
 */
export async function newPodman(folder: string) {
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(join(folder, "podman"), SCRIPT, { mode: 0o755 });
  return {
    path: `${folder}:${Deno.env.get("PATH")}`,
    async called(): Promise<string[][]> {
      const lines = await Deno.readTextFile(join(folder, "calls")).catch(() => "");
      return lines.split("\n").filter(Boolean).map((line) => JSON.parse(line));
    },
  };
}

const SCRIPT = `#!/usr/bin/python3
import json, os, shutil, subprocess, sys
folder = os.path.dirname(os.path.abspath(__file__))
with open(folder + "/calls", "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
command, *args = sys.argv[1:]
pulled = folder + "/pulled"
if command == "image":
    if not os.path.exists(pulled):
        sys.exit(125)
    bin = os.path.dirname(shutil.which("ansible-playbook"))
    print("sha256:0123\\nPATH=" + bin + ":/usr/bin:/bin\\nLANG=C.UTF-8")
elif command == "pull":
    print("Trying to pull " + args[0])
    if "missing" in args[0]:
        sys.exit("Error: manifest unknown")
    open(pulled, "w").close()
elif command == "run":
    box = ["bwrap", "--unshare-pid", "--die-with-parent", "--dev", "/dev", "--proc", "/proc"]
    box += ["--tmpfs", "/tmp", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"]
    for path in ("/usr", "/bin", "/lib", "/lib64", "/etc"):
        box += ["--ro-bind-try", path, path]
    # The tests' Ansible, which may be in a virtualenv.
    playbook = shutil.which("ansible-playbook")
    with open(playbook) as program:
        python = program.readline()[2:].split()[0]
    ask = "import sys; print(sys.prefix); print(sys.base_prefix)"
    prefixes = subprocess.check_output([python, "-c", ask], text=True).split()
    for path in {os.path.dirname(playbook), *prefixes} - {"/usr"}:
        box += ["--ro-bind", path, path]
    entry = []
    while args and args[0].startswith("--"):
        name, _, value = args.pop(0).partition("=")
        if name == "--volume":
            source, target, mode = value.split(":")
            box += ["--bind" if mode == "rw" else "--ro-bind", source, target]
        elif name == "--tmpfs":
            box += ["--tmpfs", value]
        elif name == "--workdir":
            box += ["--chdir", value]
        elif name == "--env":
            box += ["--setenv", value, os.environ[value]]
        elif name == "--entrypoint":
            entry = json.loads(value)
        elif name == "--label":
            args.pop(0)
    assert args.pop(0) == "sha256:0123"
    os.execvp("bwrap", box + entry + args)
`;
