import { join } from "node:path";
import { makeCertificates } from "@/tests/support/services/certificates.ts";
import { freePort } from "@/tests/support/server/kv_server.ts";
import { until } from "@/tests/support/basics/until.ts";

/** A real nginx on loopback with one server for each block, and its addresses by their names. */
interface Nginx<Name extends string> extends AsyncDisposable {
  urls: Record<Name, string>;
  /** File with the certificate of the authority that has signed those of the servers. */
  authority: string;
}

/**
 * Starts nginx with servers whose content is given by name. Those whose name begins with "tls" have
 * a certificate for 127.0.0.1, which is valid for two days.
 */
export async function startNginx<Name extends string>(
  blocks: Record<Name, string>,
): Promise<Nginx<Name>> {
  const dir = await Deno.makeTempDir({ prefix: "callboard_nginx_" });
  await makeCertificates(dir, "IP:127.0.0.1");
  const urls = {} as Nginx<Name>["urls"];
  const servers = Object.entries<string>(blocks).map(([name, content]) => {
    const port = freePort();
    const isTls = name.startsWith("tls");
    urls[name as Name] = `${isTls ? "https" : "http"}://127.0.0.1:${port}`;
    const listen = isTls
      ? `${port} ssl; ssl_certificate ${dir}/cert.pem; ssl_certificate_key ${dir}/key.pem`
      : port;
    return `server { listen 127.0.0.1:${listen}; ${content} }`;
  });
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${dir}/${name};`);
  const config = `${Deno.uid() === 0 ? "user root;" : ""} daemon off; pid ${dir}/pid;
error_log ${dir}/errors; worker_processes 1; events {}
http { access_log off; ${temporary.join(" ")}\n${servers.join("\n")}\n}`;
  await Deno.writeTextFile(join(dir, "nginx.conf"), config);
  const server = new Deno.Command("/usr/sbin/nginx", {
    args: ["-c", join(dir, "nginx.conf"), "-p", dir, "-e", join(dir, "errors")],
    stdout: "null",
    stderr: "null",
  }).spawn();
  await until(() => Deno.stat(join(dir, "pid")).then(() => true, () => false));
  return {
    urls,
    authority: join(dir, "ca.pem"),
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM");
      await server.status;
      await Deno.remove(dir, { recursive: true });
    },
  };
}
