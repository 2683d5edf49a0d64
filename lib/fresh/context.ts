import { type FunctionComponent, h, isValidElement } from "preact";
import type { BuildCache } from "./build_cache.ts";
import type { AsyncComponent, LayoutConfig, RouteComponent } from "./handlers.ts";
import { type AnyVNode, renderDocument } from "./render.ts";
import { upgrade, type WebSocketHandlers, type WebSocketUpgradeOptions } from "./web_socket.ts";

export interface FreshConfig {
  /** The path that the app is served below, like "/tools". */
  basePath?: string;
  mode?: "development" | "production";
  /** Takes `ctx.url` from `X-Forwarded-Proto` and `X-Forwarded-Host`. */
  trustProxy?: boolean;
}

export type ResolvedFreshConfig = Required<FreshConfig>;

/** What a page, layout or app wrapper gets. */
export type PageProps<Data = unknown, State = unknown> =
  & Pick<
    Context<State>,
    | "config"
    | "url"
    | "req"
    | "params"
    | "info"
    | "state"
    | "isPartial"
    | "Component"
    | "error"
    | "route"
  >
  & { data: Data };

interface Internals<State> {
  app: RouteComponent<State> | null;
  layouts: RouteComponent<State>[];
  buildCache: BuildCache;
  /**
   * Of what this request has rendered; null when it has rendered nothing. It is the request's, not
   * the response's: whoever wraps a response anew cannot lose it.
   */
  nonce: string | null;
  renderComponent(
    component: RouteComponent<State>,
    data: unknown,
    child?: FunctionComponent,
  ): Promise<AnyVNode | Response | null>;
}

/** The key of what only the framework uses of a context. */
export const INTERNALS: unique symbol = Symbol("fresh_internals");

const PARTIAL_PARAM = "fresh-partial";

/** One request, as middlewares and handlers see it. */
export class Context<State> {
  readonly config: ResolvedFreshConfig;
  readonly url: URL;
  req: Request;
  /** The pattern that matched. */
  readonly route: string | null;
  readonly params: Record<string, string>;
  /** Shared by all that handle the request. */
  readonly state: State = {} as State;
  data: unknown = undefined;
  /** What was thrown, in error routes. */
  error: unknown | null = null;
  readonly info: Deno.ServeHandlerInfo;
  readonly isPartial: boolean;
  /** Calls the next middleware. */
  next: () => Promise<Response>;
  Component!: FunctionComponent;
  readonly [INTERNALS]: Internals<State>;

  constructor(
    req: Request,
    url: URL,
    info: Deno.ServeHandlerInfo,
    route: string | null,
    params: Record<string, string>,
    config: ResolvedFreshConfig,
    next: () => Promise<Response>,
    buildCache: BuildCache,
  ) {
    this.req = req;
    this.url = url;
    this.info = info;
    this.route = route;
    this.params = params;
    this.config = config;
    this.next = next;
    this.isPartial = url.searchParams.has(PARTIAL_PARAM);
    this[INTERNALS] = {
      app: null,
      layouts: [],
      buildCache,
      nonce: null,
      renderComponent: async (component, data, child = () => null) => {
        const props = pageProps(this, data, child);
        if (isAsync(component)) return await component(props);
        return h(component as FunctionComponent<PageProps<unknown, State>>, props);
      },
    };
  }

  /** Answers with a redirect; a path can not lead to another site. */
  redirect(pathOrUrl: string, status = 302): Response {
    let location = pathOrUrl;
    if (pathOrUrl.startsWith("/")) {
      const [, path, rest] = /^([^?#]*)(.*)$/s.exec(pathOrUrl)!;
      location = path.replace(/\/+/g, "/") + rest;
    }
    if (this.isPartial) {
      const [, base, hash] = /^([^#]*)(.*)$/s.exec(location)!;
      location = `${base}${base.includes("?") ? "&" : "?"}${PARTIAL_PARAM}=true${hash}`;
    }
    return new Response(null, { status, headers: { location } });
  }

  /** Renders JSX inside the layouts and the app wrapper. */
  async render(
    vnode: AnyVNode | null,
    init: ResponseInit = {},
    config: LayoutConfig = {},
  ): Promise<Response> {
    if (arguments.length === 0) throw new Error("No arguments passed to: ctx.render()");
    if (vnode !== null && !isValidElement(vnode)) {
      throw new Error("Non-JSX element passed to: ctx.render()");
    }
    const { app, layouts, buildCache, renderComponent } = this[INTERNALS];

    for (const layout of config.skipInheritedLayouts ? [] : layouts.toReversed()) {
      const child = vnode;
      this.Component = () => child;
      const result = await renderComponent(layout, null, this.Component);
      if (result instanceof Response) return result;
      vnode = result;
    }

    // The app wrapper comes around the rendered page, so that it knows the page's <Head>.
    let inner = vnode;
    let wrapper: typeof vnode = null;
    if (app && !config.skipAppWrapper) {
      this.Component = () => inner;
      const result = await renderComponent(app, null, this.Component);
      if (result instanceof Response) return result;
      wrapper = result;
    }

    const headers = new Headers(init.headers);
    headers.set("Content-Type", "text/html; charset=utf-8");
    const nonce = this[INTERNALS].nonce ??= crypto.randomUUID().replaceAll("-", "");
    const { html, preload } = renderDocument({
      url: this.url,
      basePath: this.config.basePath,
      buildCache,
      nonce,
      page: vnode,
      wrapper,
      setInner: (rendered) => inner = rendered,
    });
    if (preload !== "") headers.append("Link", preload);
    const { status = 200, statusText } = init;
    return new Response(html, { status, statusText, headers });
  }

  text(content: string, init?: ResponseInit): Response {
    return new Response(content, init);
  }

  html(content: string, init?: ResponseInit): Response {
    const headers = new Headers(init?.headers);
    headers.set("Content-Type", "text/html; charset=utf-8");
    return new Response(content, { ...init, headers });
  }

  json(content: unknown, init?: ResponseInit): Response {
    return Response.json(content, init);
  }

  /** Answers with the pieces of an iterable, or of what a generator function yields. */
  stream<U extends string | Uint8Array>(
    stream: Iterable<U> | AsyncIterable<U> | (() => Iterable<U> | AsyncIterable<U>),
    init?: ResponseInit,
  ): Response {
    const encoder = new TextEncoder();
    const chunks = ReadableStream.from<U>(typeof stream === "function" ? stream() : stream);
    const body = chunks.pipeThrough(
      new TransformStream<U, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          const isBytes = chunk instanceof Uint8Array;
          controller.enqueue(
            isBytes ? chunk as Uint8Array<ArrayBuffer> : encoder.encode(String(chunk)),
          );
        },
      }),
    );
    return new Response(body, init);
  }

  /** Makes a web socket of the request; with handlers, the answer alone comes back. */
  upgrade(options?: WebSocketUpgradeOptions): { socket: WebSocket; response: Response };
  upgrade(handlers: WebSocketHandlers, options?: WebSocketUpgradeOptions): Response;
  upgrade(
    first?: WebSocketHandlers | WebSocketUpgradeOptions,
    second?: WebSocketUpgradeOptions,
  ): { socket: WebSocket; response: Response } | Response {
    return upgrade(this.req, first, second);
  }
}

/** The former name of {@link Context}. */
export type FreshContext<State = unknown> = Context<State>;

function pageProps<State>(
  ctx: Context<State>,
  data: unknown,
  Component: FunctionComponent,
): PageProps<unknown, State> {
  const { config, error, info, isPartial, params, req, state, url, route } = ctx;
  return { Component, config, data, error, info, isPartial, params, req, state, url, route };
}

/** Async components are called before rendering; others by the renderer. */
function isAsync<State>(
  component: RouteComponent<State>,
): component is AsyncComponent<PageProps<unknown, State>> {
  return component.constructor.name === "AsyncFunction";
}
