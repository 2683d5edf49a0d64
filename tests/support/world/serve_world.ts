import type { World } from "./world.ts";

/** Serves a world on a port, for an import from it or for a browser. */
export function serveWorld(world: World) {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (req) => {
    const { pathname, search, origin } = new URL(req.url);
    return await world.request(origin + pathname + search, {
      method: req.method,
      headers: req.headers,
      body: req.body && await req.arrayBuffer(),
    });
  });
  return { url: `http://127.0.0.1:${server.addr.port}/`, stop: () => server.shutdown() };
}

/** Returns an API token of Erin, who is an administrator. */
export const tokenOf = async (world: World): Promise<string> => {
  const { body } = await world.api("erin", "POST", "/api/user/tokens", { name: "import" });
  return body.id;
};
