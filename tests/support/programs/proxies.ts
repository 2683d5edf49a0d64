import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "@/tests/support/basics/until.ts";

const FOLDER = fileURLToPath(new URL("../../../packaging/proxies/", import.meta.url));

/** Where a proxy listens and what it passes on. */
export interface Site {
  /** Folder with `cert.pem` and `key.pem`, for the proxy's own files, too. */
  dir: string;
  port: number;
  /** Port for requests without TLS. */
  plainPort: number;
  callboardPort: number;
  /** Unix socket of Callboard, instead of its port. */
  socket?: string;
  /** Sub-path without a slash at the end, or "". */
  base: string;
}

/** Returns a file with its names, ports and paths replaced by those of a site. */
async function snippet(file: string, changes: [from: string | RegExp, to: string][]) {
  let text = await Deno.readTextFile(join(FOLDER, file));
  for (const [from, to] of changes) {
    const changed = text.replaceAll(from, to);
    if (changed === text && from !== to) throw new Error(`${file} has no ${from}`);
    text = changed;
  }
  return text;
}

/** Address of Callboard in a file, and the same with a socket, as the head of the file says. */
type Backend = [tcp: string, unix: string];

const named = (
  { dir, callboardPort, socket }: Site,
  [tcp, unix]: Backend,
): [string, string][] => [
  ["callboard.example.com", "localhost"],
  ["/etc/ssl/callboard", dir],
  ...(socket
    ? [[tcp, unix.replace("/run/callboard/callboard.sock", socket)] as [string, string]]
    : [["127.0.0.1:3000", `127.0.0.1:${callboardPort}`] as [string, string]]),
];

/** Each function writes the configuration of a proxy, and returns the command that runs it. */
const PREPARE = {
  async nginx(site: Site): Promise<string[]> {
    const { dir, port, plainPort, base } = site;
    const text = await snippet("nginx.conf", [
      [/ *listen \[::\].*\n/g, ""],
      ["listen 80;", `listen 127.0.0.1:${plainPort};`],
      ["listen 443 ssl", `listen 127.0.0.1:${port} ssl`],
      ["location / {", `location ${base || "/"} {`],
      ...named(site, [
        "proxy_pass http://127.0.0.1:3000;",
        "proxy_pass http://unix:/run/callboard/callboard.sock:;",
      ]),
    ]);
    await Deno.writeTextFile(join(dir, "callboard.conf"), text);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    const main = `${Deno.uid() === 0 ? "user root;" : ""}
pid ${dir}/nginx.pid;
error_log stderr;
daemon off;
events {}
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${dir}/${name};`).join(" ")}
  include ${dir}/callboard.conf;
}
`;
    await Deno.writeTextFile(join(dir, "nginx.conf"), main);
    return ["/usr/sbin/nginx", "-p", dir, "-c", join(dir, "nginx.conf"), "-e", "stderr"];
  },

  async caddy(site: Site): Promise<string[]> {
    const { dir, port, plainPort, base } = site;
    const text = await snippet("Caddyfile", [
      ["callboard.example.com {", `localhost:${port} {`],
      ["# tls ", "tls "],
      ["\n{\n", `\n{\n\tadmin off\n\thttp_port ${plainPort}\n\tauto_https disable_redirects\n`],
      ["handle /* {", `handle ${base}${base ? "*" : "/*"} {`],
      ...named(site, [
        "reverse_proxy 127.0.0.1:3000 {",
        "reverse_proxy unix//run/callboard/callboard.sock {",
      ]),
    ]);
    const file = join(dir, "Caddyfile");
    await Deno.writeTextFile(file, text);
    return ["/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config", file];
  },

  async apache(site: Site): Promise<string[]> {
    const { dir, port, plainPort, base } = site;
    const text = await snippet("apache.conf", [
      ["*:80>", `127.0.0.1:${plainPort}>`],
      ["*:443>", `127.0.0.1:${port}>`],
      ['"/" "http://127.0.0.1:3000/"', `"${base || "/"}" "http://127.0.0.1:3000${base || "/"}"`],
      ...named(site, [
        '"http://127.0.0.1:3000/"',
        '"unix:/run/callboard/callboard.sock|http://localhost/"',
      ]),
    ]);
    // The modules that the snippet names, and those that Debian enables on its own.
    const modules = ["ssl", "http2", "proxy", "proxy_http", "headers", "reqtimeout"];
    const own = ["mpm_event", "authz_core", "alias", "socache_shmcb"];
    const main = `ServerName localhost
ServerRoot ${dir}
PidFile ${dir}/apache.pid
DefaultRuntimeDir ${dir}
ErrorLog /dev/stderr
${Deno.uid() === 0 ? "User www-data\nGroup www-data" : ""}
Listen 127.0.0.1:${port}
Listen 127.0.0.1:${plainPort}
${[...own, ...modules].map((name) => loadModule(name)).join("\n")}
${text}`;
    const file = join(dir, "apache.conf");
    await Deno.writeTextFile(file, main);
    return ["/usr/sbin/apache2", "-f", file, "-DFOREGROUND"];
  },
};

const loadModule = (name: string) =>
  `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`;

export type ProxyName = keyof typeof PREPARE;
export const PROXIES = Object.keys(PREPARE) as ProxyName[];

/** Starts a proxy with its file from `packaging/proxies/`. It ends when it is disposed. */
export async function startProxy(name: ProxyName, site: Site): Promise<AsyncDisposable> {
  const [program, ...args] = await PREPARE[name](site);
  const env = { HOME: site.dir, XDG_DATA_HOME: site.dir, XDG_CONFIG_HOME: site.dir };
  const child = new Deno.Command(program, { args, env, stdout: "null", stderr: "piped" }).spawn();
  let output = "";
  let ended = false;
  const reading = child.stderr.pipeThrough(new TextDecoderStream())
    .pipeTo(new WritableStream({ write: (text) => void (output += text) }));
  child.status.then(() => ended = true);
  await until(async () => {
    if (ended) throw new Error(`${name} has ended: ${output}`);
    return await answers(site.port);
  });
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await reading;
    },
  };
}

const answers = (port: number): Promise<boolean> =>
  Deno.connect({ hostname: "127.0.0.1", port }).then(
    (connection) => (connection.close(), true),
    () => false,
  );
