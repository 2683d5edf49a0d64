import { type BuildCache, NO_BUILD } from "./build_cache.ts";
import { Context, type FreshConfig, type ResolvedFreshConfig } from "./context.ts";
import { addFile, addHandler, addRoute, asRoute, setNotFound, type Target } from "./commands.ts";
import { answerError } from "./error.ts";
import type {
  LayoutConfig,
  MaybeLazy,
  Middleware,
  Route,
  RouteComponent,
  RouteConfig,
} from "./handlers.ts";
import { notAllowed, requestUrl, unanswered } from "./request.ts";
import { mergePath, type Method, METHODS, newRouter } from "./router.ts";
import { compose, findSegment, middlewaresOf, newSegment, withHandler } from "./segments.ts";
import type { WebSocketHandlers, WebSocketUpgradeOptions } from "./web_socket.ts";

export type ListenOptions =
  & Partial<Deno.ServeTcpOptions & Deno.TlsCertifiedKeyPem>
  & { remoteAddress?: string };

type Command<State> = (target: Target<State>) => void;

/** The key of what only a build sets in an app. */
export const BUILD: unique symbol = Symbol("fresh_build");

const LOCAL: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 1234 },
  completed: Promise.resolve(),
};

/** Middlewares, routes and layouts, put together into one request handler. */
export class App<State> {
  config: ResolvedFreshConfig;
  [BUILD]: BuildCache = NO_BUILD;
  #commands: Command<State>[] = [];

  constructor(config: FreshConfig = {}) {
    const { basePath = "", mode = "production", trustProxy = false } = config;
    this.config = { basePath, mode, trustProxy };
  }

  #add(command: Command<State>): this {
    this.#commands.push(command);
    return this;
  }

  /** Adds middlewares for all paths, or for those below the first argument. */
  use(...middlewares: Middleware<State>[]): this;
  use(path: string, ...middlewares: Middleware<State>[]): this;
  use(first: string | Middleware<State>, ...others: Middleware<State>[]): this {
    const [path, added] = typeof first === "string" ? [first, others] : ["*", [first, ...others]];
    return this.#add(({ root }) => findSegment(root, path, true).middlewares.push(...added));
  }

  /** Sets what answers when nothing else does. */
  notFound(route: Route<State> | Middleware<State>): this {
    return this.#add(({ root }) => setNotFound(root, asRoute(route)));
  }

  /** Sets what answers errors from below `path`. */
  onError(path: string, route: Route<State> | Middleware<State>): this {
    return this.#add(({ root }) => {
      findSegment(root, path, true).errorRoute = withHandler(asRoute(route));
    });
  }

  appWrapper(component: RouteComponent<State>): this {
    return this.#add(({ root }) => void (root.app = component));
  }

  layout(path: string, component: RouteComponent<State>, config: LayoutConfig = {}): this {
    return this.#add(({ root }) => {
      findSegment(root, path, true).layout = { component, config };
    });
  }

  route(path: string, route: MaybeLazy<Route<State>>, config?: RouteConfig): this {
    return this.#add((target) => {
      const segment = findSegment(target.root, path, true);
      addRoute(target, segment, config?.routeOverride ?? path, route, config?.methods);
    });
  }

  #handle(methods: Method[], path: string, handlers: MaybeLazy<Middleware<State>>[]): this {
    return this.#add((target) => {
      const segment = findSegment(target.root, path, true);
      const chain = [...middlewaresOf(segment), ...handlers as Middleware<State>[]];
      addHandler(target, methods, path, chain);
    });
  }

  get(path: string, ...handlers: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle(["GET"], path, handlers);
  }
  post(path: string, ...handlers: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle(["POST"], path, handlers);
  }
  patch(path: string, ...handlers: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle(["PATCH"], path, handlers);
  }
  put(path: string, ...handlers: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle(["PUT"], path, handlers);
  }
  delete(path: string, ...handlers: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle(["DELETE"], path, handlers);
  }
  head(path: string, ...handlers: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle(["HEAD"], path, handlers);
  }
  all(path: string, ...handlers: MaybeLazy<Middleware<State>>[]): this {
    return this.#handle(METHODS, path, handlers);
  }
  ws(path: string, handlers: WebSocketHandlers, options?: WebSocketUpgradeOptions): this {
    return this.get(path, (ctx) => ctx.upgrade(handlers, options));
  }

  /** Puts the routes folder here, or below `path`. */
  fsRoutes(path = "*"): this {
    return this.#add((target) => {
      const basePath = path === "*" ? target.basePath : mergePath(target.basePath, path);
      for (const file of target.buildCache.fsRoutes) addFile({ ...target, basePath }, file);
    });
  }

  /** The function for `Deno.serve`, or for a test. */
  handler(): (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response> {
    const { config } = this;
    const buildCache = this[BUILD];
    const router = newRouter<Middleware<State>>();
    const root = newSegment<State>(null);
    const target: Target<State> = { root, router, basePath: config.basePath, buildCache };
    for (const command of this.#commands) command(target);
    const unmatched = compose(middlewaresOf(root));

    return async (req, info = LOCAL) => {
      const url = requestUrl(req, config.trustProxy);
      const method = req.method.toUpperCase() as Method;
      const { pattern, params, item, allowed } = router.match(method, url);
      const next = item || !pattern ? unanswered : () => notAllowed(method, allowed);
      const ctx = new Context<State>(req, url, info, pattern, params, config, next, buildCache);
      try {
        const response: unknown = await (item ?? unmatched)(ctx);
        if (!(response instanceof Response)) {
          throw new Error(`Expected a "Response" instance to be returned, but got: ${response}`);
        }
        return method === "HEAD" ? new Response(null, response) : response;
      } catch (error) {
        ctx.error = error;
        return answerError(error);
      }
    };
  }

  /** Serves the app; without a port, on the first free one from 8000 on. */
  async listen(options: ListenOptions = {}): Promise<void> {
    const handler = this.handler();
    if (options.port) return void Deno.serve(options as Deno.ServeTcpOptions, handler);
    for (let port = 8000;; port++) {
      try {
        return void await Deno.serve({ ...options, port } as Deno.ServeTcpOptions, handler);
      } catch (error) {
        if (!(error instanceof Deno.errors.AddrInUse) || port === 8019) throw error;
      }
    }
  }
}

/** Gives a build to an app: what `server.js` and the builder do. */
export function setBuildCache<State>(
  app: App<State>,
  cache: BuildCache,
  mode: ResolvedFreshConfig["mode"],
): void {
  app.config.mode = mode;
  app[BUILD] = cache;
}
