/** A mirror of PyPI that never answers, so that builds last until they are ended. */
export function silentMirror() {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => promise);
  return {
    url: `http://127.0.0.1:${server.addr.port}/simple`,
    async [Symbol.asyncDispose]() {
      resolve(new Response());
      await server.shutdown();
    },
  };
}
