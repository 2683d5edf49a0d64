/** Whether git-lfs is installed. */
export const hasGitLfs = (): Promise<boolean> =>
  new Deno.Command("git", { args: ["lfs", "version"], stdout: "null", stderr: "null" }).output()
    .then(({ success }) => success, () => false);

/** Serves files of Git LFS by its batch API, to clients with this login, or to all without one. */
export function serveLfs(login = "", password = "") {
  const texts = new Map<string, string>();
  const expected = `Basic ${btoa(`${login}:${password}`)}`;
  let downloads = 0;
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (req) => {
    const { pathname, origin } = new URL(req.url);
    if (login !== "" && req.headers.get("authorization") !== expected) {
      const headers = { "www-authenticate": 'Basic realm="lfs"' };
      return Response.json({ message: "Sign in" }, { status: 401, headers });
    }
    if (pathname === "/lfs/objects/batch") return batch(await req.json(), origin, texts);
    downloads++;
    const text = texts.get(pathname.split("/").at(-1)!);
    return new Response(text ?? "gone", { status: text === undefined ? 404 : 200 });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/lfs`,
    /** Adds a file, and returns the pointer to it. */
    async add(text: string): Promise<string> {
      const bytes = new TextEncoder().encode(text);
      const oid = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
      texts.set(oid, text);
      return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${bytes.length}\n`;
    },
    get downloads() {
      return downloads;
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

interface Asked {
  objects: { oid: string; size: number }[];
}

function batch({ objects }: Asked, origin: string, texts: ReadonlyMap<string, string>): Response {
  const answers = objects.map(({ oid, size }) =>
    texts.has(oid)
      ? { oid, size, actions: { download: { href: `${origin}/files/${oid}` } } }
      : { oid, size, error: { code: 404, message: "Object does not exist" } }
  );
  return Response.json(
    { transfer: "basic", objects: answers },
    { headers: { "content-type": "application/vnd.git-lfs+json" } },
  );
}
