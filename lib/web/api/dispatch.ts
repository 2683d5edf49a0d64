import type { HandlerFn } from "fresh";
import { TrieRouter } from "hono/router/trie-router";
import { AppError, notFound } from "../../base/errors.ts";
import { type Answering, answering } from "./answering.ts";
import type { Operation } from "../../access/operation.ts";
import { itemPaths } from "./etags.ts";
import type { AppDeps, State } from "../state.ts";

/** A path of the API: its handlers by method, and the methods that it lists as allowed. */
interface Entry {
  methods: Map<string, Answering>;
  allow: { Allow: string };
}

/**
 * Returns the handler of all paths below `/api`. HEAD is handled like GET. OPTIONS lists the
 * allowed methods, and other methods get a 405.
 */
export function dispatcher(operations: Operation<AppDeps>[]): HandlerFn<never, State> {
  const router = new TrieRouter<Entry>();
  const items = itemPaths(operations);
  const paths = Map.groupBy(operations, ({ path }) => path);
  // The first match counts, so "/tasks/last" must come before "/tasks/{taskId}".
  for (const path of [...paths.keys()].toSorted(literalsFirst)) {
    router.add(
      "ALL",
      path.replaceAll(/\{(\w+)\}/g, ":$1"),
      entryOf(paths.get(path)!, items.has(path)),
    );
  }
  return (ctx) => {
    const path = ctx.url.pathname.slice(ctx.config.basePath.length + "/api".length);
    const [[found]] = router.match("ALL", path);
    if (!found) throw notFound();
    const [{ methods, allow }, params] = found;
    const { method } = ctx.req;
    const answer = methods.get(method);
    if (answer) return answer(ctx, params as Record<string, string>);
    if (method === "OPTIONS") return new Response(null, { status: 204, headers: allow });
    throw new AppError(405, "errors.method", {}, { headers: allow });
  };
}

const literalsFirst = (a: string, b: string): number => {
  const [x, y] = [a, b].map((path) => path.replaceAll(/\{\w+\}/g, "\uffff"));
  return x < y ? -1 : x > y ? 1 : 0;
};

function entryOf(operations: Operation<AppDeps>[], ofItem: boolean): Entry {
  const methods = new Map(operations.map((one) => [one.method as string, one]));
  const get = methods.get("GET");
  if (get && !get.isUnsafe) methods.set("HEAD", get);
  const allow = [...methods.keys(), "OPTIONS"].toSorted().join(", ");
  return {
    methods: new Map([...methods].map(([method, one]) => [method, answering(one, ofItem)])),
    allow: { Allow: allow },
  };
}
