import { dirname, join } from "node:path";
import { fileVariable, SECRET_SETTINGS } from "@/lib/base/settings/secret_settings.ts";
import { CODE, PROJECT_FOLDERS } from "@/lib/execution/process/folders.ts";
import { ADMIN } from "@/tests/support/server/real_server.ts";

/** Rows of the table in docs/isolation.md. */
export const ROWS = {
  data: "Data folder: leases, folders of other tasks and projects",
  store: "Database, wherever it is",
  secrets: "Files of secrets, and credentials",
  settings: "Settings files, and files that they name",
  usual: "`/etc/callboard`, `/run/secrets`, `/run/credentials` and `credstore`",
  backups: "Automatic backups",
  audit: "Audit file",
  others: "Secret files of other projects",
  own: "Secret files of the own project",
  trusted: "Certificates, and the program that reads secrets",
  server: "Environment and memory of the server",
  tasks: "Processes and agents of other tasks",
  program: "Callboard's program",
  machine: "Other files of the server's account",
  network: "Addresses of the machine, such as the server's port",
} as const;

export type Row = keyof typeof ROWS;

/** Something that a play should not reach. */
export interface Planted {
  row: Row;
  /** A file, a socket, `tcp:PORT`, or `process:PID`. */
  path: string;
  /** Text that is nowhere else, if it has one. */
  marker?: string;
}

/** Files, with the settings of a server that names them. */
export interface PlantedSecrets {
  /** Part of all markers. */
  id: string;
  /** Time before they were planted, in seconds. */
  since: number;
  env: Record<string, string>;
  planted: Planted[];
  /**
   * Adds files of another project and other tasks to the data folder of the server that runs. The
   * server must have the project, which has run nothing: it removes the folders of others soon
   * after its start.
   */
  addTo(dataDir: string, ownProject: number, otherProject: number): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Secrets that need a state of the store, or another setting beside them. */
const NOT_PLANTED = ["CALLBOARD_SECRET_KEY_PREVIOUS", "CALLBOARD_SECRET_KEY_NEXT"];
/** A secret whose file is behind a link. */
const LINKED = "CALLBOARD_SLACK_URL";
/** A credential of systemd instead of a file. */
const CREDENTIAL = "CALLBOARD_METRICS_TOKEN";
/** Id of no task. */
const NO_TASK = "1000001";
const USUAL = ["/etc/callboard", "/run/secrets", "/run/credentials/other", "/etc/credstore"];

/**
 * Plants a file of each kind that a server has, in a folder of their own, which is removed with
 * them. As root, also in the folders of packages and of systemd.
 */
export async function plantSecrets(): Promise<PlantedSecrets> {
  const since = Math.floor(Date.now() / 1000) - 5;
  const home = await Deno.makeTempDir({ prefix: "callboard_planted_" });
  const id = crypto.randomUUID().slice(0, 8);
  const planted: Planted[] = [];
  const files: string[] = [];
  const at = (...parts: string[]) => join(home, ...parts);
  const markerOf = (name: string) =>
    `planted-${id}-${name.toLowerCase().replace(/[^a-z0-9]/g, "-")}`;

  async function write(row: Row, path: string, text: string, marker?: string, mode = 0o600) {
    files.push(path);
    await writeInFolder(path, text, mode);
    planted.push({ row, path, ...marker !== undefined && { marker } });
    return path;
  }
  const plant = (
    row: Row,
    path: string,
    name: string,
    around = (marker: string) => `${marker}\n`,
  ) => write(row, path, around(markerOf(name)), markerOf(name));

  /** Folders of all kinds: of its own, with spaces, behind a link, shared, and of the system. */
  const placesOf = (name: string) => [
    at("secrets of the server", name),
    at("alone", name, "value"),
    at("mixed", name),
    join("/var/tmp", `callboard-${id}-${name}`),
  ];

  const env: Record<string, string> = {};
  const secrets = SECRET_SETTINGS.filter((name) =>
    ![...NOT_PLANTED, LINKED, CREDENTIAL].includes(name)
  );
  for (const [n, name] of secrets.entries()) {
    const place = placesOf(name)[n % 4]!;
    const value = SPECIAL[name];
    env[fileVariable(name)] = value
      ? await write("secrets", place, ...value(markerOf(name)))
      : await plant("secrets", place, name);
  }
  await Deno.mkdir(at("mixed", "playbooks"));
  await Deno.mkdir(at("database"));
  const target = await plant("secrets", at("linked", "target"), LINKED, addressOf);
  await Deno.mkdir(at("links"));
  await Deno.symlink(target, at("links", "slack"));
  planted.push({ row: "secrets", path: at("links", "slack") });
  env[fileVariable(LINKED)] = at("links", "slack");
  await plant("secrets", at("credentials", CREDENTIAL), CREDENTIAL);
  await plant("secrets", at("credentials", "unknown"), "unknown credential");

  const secret = await plant("settings", at("oidc", "client"), "client");
  const provider = {
    display_name: "Planted",
    provider_url: "https://login.example.invalid",
    client_id: "callboard",
    client_secret_file: secret,
  };
  const ca = (marker: string) => `-----BEGIN CERTIFICATE-----\n${marker}\n`;
  Object.assign(env, {
    CALLBOARD_ADMIN_PASSWORD: "",
    CALLBOARD_GALAXY_URL: "https://galaxy.example.invalid/",
    CALLBOARD_OIDC_PROVIDER_URL: "https://login.example.invalid",
    CALLBOARD_OIDC_CLIENT_ID: "callboard",
    CALLBOARD_VALUE_PLANTED: markerOf("variable"),
    CREDENTIALS_DIRECTORY: at("credentials"),
    CALLBOARD_CONFIG: await plant(
      "settings",
      at("config", "callboard.env"),
      "config",
      (marker) => `# ${marker}\n`,
    ),
    CALLBOARD_OIDC_FILE: await plant(
      "settings",
      at("oidc", "providers.json"),
      "oidc",
      (icon) => JSON.stringify({ planted: { ...provider, icon } }),
    ),
    CALLBOARD_GROUP_RULES_FILE: await plant(
      "settings",
      at("rules.json"),
      "rules",
      (value) => JSON.stringify([{ value, gives: "sign_in" }]),
    ),
    CALLBOARD_KV: at("database", "store.kv"),
    CALLBOARD_BACKUP_AT: "0 3 1 1 *",
    CALLBOARD_BACKUP_TO: dirname(await plant("backups", at("backups", "old.age"), "backup")),
    CALLBOARD_AUDIT_FILE: await plant("audit", at("audit", "events.jsonl"), "audit"),
    CALLBOARD_AUDIT_CA_FILE: await plant("trusted", at("certificates", "ca.pem"), "ca", ca),
    CALLBOARD_SECRET_COMMAND: await plant(
      "trusted",
      at("programs", "secret"),
      "program",
      (marker) => `#!/bin/sh\n# ${marker}\n`,
    ),
    CALLBOARD_SECRET_FILES: `${at("vault", "{project}")},${at("for all")}`,
  });
  planted.push({ row: "store", path: at("database", "store.kv") });
  planted.push({ row: "store", path: at("database", "store.kv-wal") });
  await plant("audit", at("audit", "events.jsonl.1"), "rotated");
  await plant("others", at("for all", "value"), "flat");
  planted.push({ row: "server", path: "process:server", marker: markerOf("variable") });
  planted.push({ row: "program", path: join(CODE, "lib", "web", "server", "app.ts") });
  const machine = join("/var/tmp", `callboard-${id}-open`);
  await plant("machine", machine, "machine");
  if (Deno.uid() === 0) {
    for (const folder of USUAL) {
      const path = join(folder, `callboard-${id}`);
      await plant("usual", path, folder);
    }
  }
  return {
    id,
    since,
    env,
    planted,
    async addTo(dataDir, ownProject, otherProject) {
      for (const folder of ["tasks", "leases"]) {
        await plant("data", join(dataDir, folder, NO_TASK, "file"), folder);
      }
      for (const folder of PROJECT_FOLDERS) {
        await plant("data", join(dataDir, folder, String(otherProject), "file"), folder);
      }
      await plant("others", at("vault", String(otherProject), "value"), "vault");
      await plant("own", at("vault", String(ownProject), "value"), "own");
    },
    async [Symbol.asyncDispose]() {
      for (const path of files) await Deno.remove(path).catch(() => {});
      for (const folder of USUAL) await removeCreated(folder);
      await Deno.remove(home, { recursive: true });
    },
  };
}

const addressOf = (marker: string) => `https://example.invalid/${marker}/`;

/** Values that must have a form, with what of them is searched for. */
const SPECIAL: Record<string, (marker: string) => [text: string, marker?: string]> = {
  CALLBOARD_ADMIN_PASSWORD: () => [ADMIN.password],
  CALLBOARD_SECRET_KEY: () => {
    const key = crypto.getRandomValues(new Uint8Array(32)).toBase64();
    return [key, key];
  },
  CALLBOARD_SMTP_URL: (marker) => [`smtp://user:${marker}@127.0.0.1:9`, marker],
  CALLBOARD_WEBHOOK_URL: (marker) => [addressOf(marker), marker],
  CALLBOARD_RUNNER_WEBHOOK: (marker) => [addressOf(marker), marker],
  CALLBOARD_SURVEY_URLS: (marker) => [addressOf(marker), marker],
};

/** Bit of the mode of folders that were created here. */
const CREATED = 0o1000;

/** Creates a folder with those above it. */
async function createFolder(path: string): Promise<void> {
  if (await Deno.stat(path).then(() => true, () => false)) return;
  await createFolder(dirname(path));
  await Deno.mkdir(path);
  await Deno.chmod(path, CREATED | 0o711);
}

/** Writes a file, and creates its folder. Another process may do so too, or remove the folder. */
async function writeInFolder(path: string, text: string, mode: number): Promise<void> {
  for (;;) {
    try {
      await createFolder(dirname(path));
      return await Deno.writeTextFile(path, text, { mode });
    } catch (error) {
      const isShared = error instanceof Deno.errors.NotFound ||
        error instanceof Deno.errors.AlreadyExists;
      if (!isShared) throw error;
    }
  }
}

/** Removes a folder with those above it, if they were created here and no one uses them. */
async function removeCreated(path: string): Promise<void> {
  const { mode } = await Deno.stat(path).catch(() => ({ mode: 0 }));
  if (!(mode! & CREATED)) return;
  const removed = await Deno.remove(path).then(() => true, () => false);
  if (removed) await removeCreated(dirname(path));
}

/** Returns the files of a repository whose play tries to reach all that is planted. */
export const SEARCH: Record<string, string> = {
  "site.yml": `- hosts: localhost
  gather_facts: false
  tasks:
    - name: Look at each path, and try to change it
      raw: sh {{ playbook_dir }}/try.sh {{ paths | map('quote') | join(' ') }}
      register: paths_tried
    - name: Search all files
      raw: >-
        find / '(' -path /proc -o -path /sys ')' -prune -o -type f -size -65536k
        -newermt @{{ since }} -exec grep -haoE 'planted-{{ id }}-[a-z0-9-]+' '{}' + 2>/dev/null
        | sort -u | sed 's/^/found /'; true
      register: files_searched
    - name: Search the processes, sockets and addresses
      raw: >-
        {{ ansible_playbook_python }} {{ playbook_dir }}/search.py {{ id }} {{ port }}
        {{ paths | map('quote') | join(' ') }}
      register: processes_searched
    - name: Read a file as modules do
      slurp: { src: "{{ item }}" }
      loop: "{{ paths[:3] }}"
      register: slurped
      failed_when: false
    - debug:
        msg: "{{ paths_tried.stdout_lines + files_searched.stdout_lines +
          (processes_searched.stdout_lines | unique) +
          (slurped.results | selectattr('content', 'defined') | map(attribute='source') |
          map('regex_replace', '^', 'read ') | list) + ['searched everything'] }}"
`,
  "try.sh": `for path; do
  [ "$(head -c 1 -- "$path" 2>/dev/null | wc -c)" = 1 ] && echo "read $path"
  [ -e "$path" ] && (: >>"$path") 2>/dev/null && echo "wrote $path"
done
true
`,
  "search.py": String.raw`import ctypes, os, re, socket, sys
word, port, paths = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
pattern = re.compile(("planted-" + word + "-[a-z0-9-]+").encode())
libc = ctypes.CDLL(None, use_errno=True)

def read(path):
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            # A pipe without data gives None.
            return file.read(1 << 20) or b""
    except OSError:
        return b""

def search(path):
    for marker in set(pattern.findall(read(path))):
        print("found", marker.decode())

def connect(family, address, name):
    try:
        socket.create_connection(address, 5) if family is None else socket.socket(family).connect(address)
        print("connected", name)
    except OSError:
        pass

for pid in filter(str.isdigit, os.listdir("/proc")):
    folder = "/proc/" + pid
    search(folder + "/environ")
    try:
        for number in os.listdir(folder + "/fd"):
            if os.readlink(folder + "/fd/" + number).startswith("/"):
                search(folder + "/fd/" + number)
    except OSError:
        pass
    for path in paths:
        if path.startswith("/") and read(folder + "/root" + path):
            print("read", path)
    command = read(folder + "/cmdline")
    for name, part in (("server", b"server/serve.js"), ("server", b"scripts/runner.ts"), ("other", b"sleep\x00777")):
        if part in command:
            if read(folder + "/maps"):
                try:
                    os.close(os.open(folder + "/mem", os.O_RDONLY))
                    print("found process:" + name)
                except OSError:
                    pass
            # PTRACE_SEIZE does not stop it, and the end of this process lets it go.
            if libc.ptrace(0x4206, int(pid), None, None) == 0:
                print("found process:" + name)
for path in paths:
    connect(socket.AF_UNIX, path, path)
connect(None, ("127.0.0.1", port), "tcp:%d" % port)
`,
};

/** Access to something planted, as in the table of docs/isolation.md. */
type Access = "closed" | "read" | "open";

/** Returns the access that a play had, by its output. */
export function accessOf(log: string, { path, marker, row }: Planted): Access {
  const said = (text: string) => log.includes(`"${text}"`);
  if (said(`connected ${path}`) || said(`wrote ${path}`)) return "open";
  const found = said(`read ${path}`) || said(`found ${path}`) ||
    marker !== undefined && said(`found ${marker}`);
  if (!found) return "closed";
  return row === "server" || row === "tasks" ? "open" : "read";
}
