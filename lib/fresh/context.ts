import {
  type AnyComponent,
  type FunctionComponent,
  h,
  type RenderableProps,
  type VNode,
} from "preact";
import type { BuildCache } from "./build_cache.ts";
import type { FreshConfig } from "./config.ts";
import { type AnyVNode, renderDocument } from "./render.ts";

/** Props of a page, layout or app wrapper. */
export type PageProps<Data = unknown, State = unknown> =
  & Pick<Context<State>, "config" | "url" | "req" | "params" | "info" | "state" | "error">
  & { data: Data; Component: FunctionComponent };

/** A component that is called before rendering. */
interface AsyncComponent<Props> {
  (props: RenderableProps<Props>): Promise<VNode | null>;
}

/** A component of a page, a layout or the app wrapper. */
export type RouteComponent<State> =
  | AnyComponent<PageProps<unknown, State>>
  | AsyncComponent<PageProps<unknown, State>>;

/** Wrappers of a page, and the build that it belongs to. */
interface Surroundings<State> {
  buildCache: BuildCache;
  app: RouteComponent<State> | null;
  /** The outermost first. */
  layouts: RouteComponent<State>[];
}

/** Key of the part of a context that only the framework uses. */
export const INTERNALS: unique symbol = Symbol("fresh_internals");

/** Nonces of rendered pages, used by the middleware that sets their content security policy. */
export const nonces = new WeakMap<Response, string>();

interface WebSocketHandlers {
  open?(socket: WebSocket): void;
  close?(socket: WebSocket, code: number, reason: string): void;
  error?(socket: WebSocket, event: Event | ErrorEvent): void;
}

/** A request, as middlewares and handlers see it. */
export class Context<State> {
  /** Shared by all handlers of the request. */
  readonly state: State = {} as State;
  /** The thrown error, in error pages. */
  error: unknown | null = null;
  /** Calls the next middleware. */
  next!: () => Promise<Response>;
  readonly [INTERNALS]: Surroundings<State>;

  constructor(
    public req: Request,
    readonly url: URL,
    readonly info: Deno.ServeHandlerInfo,
    readonly params: Record<string, string>,
    readonly config: Required<FreshConfig>,
    surroundings: Surroundings<State>,
  ) {
    this[INTERNALS] = surroundings;
  }

  /** Responds with a redirect. A path cannot lead to another site. */
  redirect(pathOrUrl: string, status = 302): Response {
    const [, path, rest] = /^([^?#]*)(.*)$/s.exec(pathOrUrl)!;
    const location = path.startsWith("/") ? path.replace(/\/+/g, "/") + rest : pathOrUrl;
    return new Response(null, { status, headers: { location } });
  }

  /** Renders JSX inside the layouts and the app wrapper. */
  async render(vnode: AnyVNode | null, init: ResponseInit = {}): Promise<Response> {
    const { app, layouts, buildCache } = this[INTERNALS];
    for (const layout of layouts.toReversed()) {
      const child = vnode;
      vnode = await callComponent(this, layout, null, () => child);
    }
    // The app wrapper is rendered after the page, so that it knows the page's <Head>.
    let inner = vnode;
    const wrapper = app && await callComponent(this, app, null, () => inner);

    const headers = new Headers(init.headers);
    headers.set("Content-Type", "text/html; charset=utf-8");
    const nonce = crypto.randomUUID().replaceAll("-", "");
    const about = { url: this.url, config: this.config, buildCache, nonce };
    const html = renderDocument(vnode, wrapper, (rendered) => inner = rendered, about);
    const response = new Response(html, { ...init, headers });
    nonces.set(response, nonce);
    return response;
  }

  /** Upgrades the request to a web socket. */
  upgrade(handlers: WebSocketHandlers): Response {
    const { socket, response } = Deno.upgradeWebSocket(this.req);
    socket.addEventListener("open", () => handlers.open?.(socket));
    socket.addEventListener("close", ({ code, reason }) => handlers.close?.(socket, code, reason));
    socket.addEventListener("error", (event) => handlers.error?.(socket, event));
    return response;
  }
}

/** Calls an async component. The renderer calls the others. */
export function callComponent<State>(
  ctx: Context<State>,
  component: RouteComponent<State>,
  data: unknown,
  Component: FunctionComponent,
): Promise<AnyVNode | null> | AnyVNode {
  const { config, error, info, params, req, state, url } = ctx;
  const props = { Component, config, data, error, info, params, req, state, url };
  return component.constructor.name === "AsyncFunction"
    ? (component as AsyncComponent<PageProps<unknown, State>>)(props)
    : h(component as FunctionComponent<PageProps<unknown, State>>, props);
}
