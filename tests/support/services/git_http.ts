import { join } from "node:path";

/** Serves a git repository over https, or plain http, to clients that know the password. */
interface GitServer {
  /** URL without login and password. */
  url: string;
  /** The certificate that clients have to trust, or "" over plain http. */
  certificate: string;
  /** Number of requests with the right password. */
  readonly admitted: number;
  stop(): Promise<void>;
}

interface GitServerOptions {
  /** Folder for the certificate and its key. */
  directory: string;
  repository: string;
  login: string;
  password: string;
  plain?: boolean;
}

export async function serveGit(options: GitServerOptions): Promise<GitServer> {
  const { directory, repository, login, password, plain = false } = options;
  const [certificate, key] = plain ? ["", ""] : await makeCertificate(directory);
  const tls = plain
    ? {}
    : { cert: await Deno.readTextFile(certificate), key: await Deno.readTextFile(key) };
  const expected = `Basic ${btoa(`${login}:${password}`)}`;
  let admitted = 0;
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    ...tls,
    onListen: () => {},
  }, async (req) => {
    if (req.headers.get("authorization") !== expected) {
      return new Response(null, { status: 401, headers: { "WWW-Authenticate": "Basic" } });
    }
    admitted++;
    return await askBackend(req, repository);
  });
  return {
    url: `http${plain ? "" : "s"}://127.0.0.1:${server.addr.port}/playbooks.git`,
    certificate,
    get admitted() {
      return admitted;
    },
    stop: () => server.shutdown(),
  };
}

/** Creates an untrusted certificate of this machine, and its key. Returns the paths of both. */
export async function makeCertificate(
  directory: string,
): Promise<[certificate: string, key: string]> {
  const [certificate, key] = [join(directory, "certificate.pem"), join(directory, "key.pem")];
  const { success, stderr } = await new Deno.Command("openssl", {
    args: [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
      ...["-days", "1", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
      ...["-out", certificate, "-keyout", key],
    ],
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return [certificate, key];
}

/** Answers with git's own CGI program. */
async function askBackend(req: Request, repository: string): Promise<Response> {
  const { pathname, search } = new URL(req.url);
  const child = new Deno.Command("git", {
    args: ["-c", "safe.directory=*", "http-backend"],
    env: {
      GIT_PROJECT_ROOT: repository,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: pathname.replace("/playbooks.git", "/.git"),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: req.method,
      CONTENT_TYPE: req.headers.get("content-type") ?? "",
      HTTP_CONTENT_ENCODING: req.headers.get("content-encoding") ?? "",
      GIT_PROTOCOL: req.headers.get("git-protocol") ?? "",
    },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const body = new Uint8Array(await req.arrayBuffer());
  const [{ stdout }] = await Promise.all([child.output(), send(child.stdin, body)]);
  return readCgi(stdout);
}

async function send(stdin: WritableStream<Uint8Array>, body: Uint8Array) {
  const writer = stdin.getWriter();
  await writer.write(body);
  await writer.close();
}

/** Reads headers, an empty line and the body. */
function readCgi(answer: Uint8Array<ArrayBuffer>): Response {
  const text = new TextDecoder("latin1").decode(answer);
  const end = text.indexOf("\r\n\r\n");
  const headers = new Headers(
    text.slice(0, end).split("\r\n").map((line) => line.split(": ", 2) as [string, string]),
  );
  const status = Number.parseInt(headers.get("status") ?? "200");
  headers.delete("status");
  return new Response(answer.slice(end + 4), { status, headers });
}
