import { type ComponentChildren, Fragment, h, type Options, options, type VNode } from "preact";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";
import type { BuildCache } from "./build_cache.ts";
import type { Context } from "./context.ts";
import { HeadElement, RemainingHead } from "./head.ts";
import { IslandHost, Scripts } from "./islands.ts";
import { type AnyVNode, finished, rendering, type RenderState } from "./render_state.ts";
import { asset, assetSrcSet } from "./runtime.ts";

/** Where a response keeps its nonce for the content security policy; Fresh's own symbol. */
export const NONCE: unique symbol = Symbol.for("__freshNonce");

interface Document {
  ctx: Context<unknown>;
  buildCache: BuildCache;
  page: AnyVNode | null;
  wrapper: AnyVNode | null;
  /** Hands the rendered page to the app wrapper's `Component`. */
  setInner(rendered: AnyVNode): void;
}

/** Renders a whole page: its HTML, its nonce, and what the browser should load early. */
export function renderDocument({ ctx, buildCache, page, wrapper, setInner }: Document) {
  const state: RenderState = {
    ctx,
    buildCache,
    nonce: crypto.randomUUID().replaceAll("-", ""),
    islands: new Set(),
    islandProps: [],
    slots: [],
    head: new Map(),
    seen: new Set(),
    hasScript: false,
  };
  rendering.state = state;
  try {
    let html = renderToString(page ?? h(Fragment, null));
    if (wrapper) {
      setInner(jsxTemplate([html]) as VNode);
      html = renderToString(wrapper);
    }
    if (!["html", "head", "body"].every((name) => state.seen.has(name))) {
      html = renderToString(completeDocument(html, state.seen));
    }
    return { html: "<!DOCTYPE html>" + html, nonce: state.nonce, preload: preloadHeader(state) };
  } finally {
    rendering.state = null;
  }
}

function completeDocument(html: string, seen: Set<string>): VNode {
  let document = jsxTemplate([html]) as VNode;
  if (!seen.has("body")) document = h("body", null, document);
  if (!seen.has("head")) {
    document = h(Fragment, null, h("head", null, h("meta", { charset: "utf-8" })), document);
  }
  return seen.has("html") ? document : h("html", null, document);
}

function preloadHeader({ islands, ctx, buildCache }: RenderState): string {
  if (islands.size === 0) return "";
  const files = new Set([buildCache.clientEntry, ...Array.from(islands, ({ file }) => file)]);
  const link = (file: string) =>
    `<${encodeURI(ctx.config.basePath + file)}>; rel="modulepreload"; as="script"`;
  return Array.from(files, link).join(", ");
}

const hooks = options as Options & { __b?(vnode: AnyVNode): void };

const previousVnodeHook = hooks.vnode;
hooks.vnode = (vnode) => {
  if (typeof vnode.type === "string") onElementCreated(vnode as AnyVNode);
  previousVnodeHook?.(vnode);
};

const previousDiffHook = hooks.__b;
hooks.__b = (vnode) => {
  const { state } = rendering;
  if (state !== null) {
    if (typeof vnode.type === "string") onElementRendered(vnode, state);
    else onComponentRendered(vnode, state);
  }
  previousDiffHook?.(vnode);
};

function onElementCreated({ type, props }: AnyVNode): void {
  const { state } = rendering;
  switch (type) {
    case "a":
      if (state) markCurrent(props, state.ctx.url);
      break;
    case "script":
    case "style":
      if (state) props.nonce ||= state.nonce;
      break;
    case "img":
    case "source":
      if (props["data-fresh-disable-lock"]) break;
      if (typeof props.src === "string") props.src = asset(props.src);
      if (typeof props.srcset === "string") props.srcset = assetSrcSet(props.srcset);
      break;
    case "body":
      props.children = appended(props.children, h(Scripts, {}));
  }
}

function onElementRendered(vnode: AnyVNode, state: RenderState): void {
  switch (vnode.type) {
    case "head":
      vnode.props.children = appended(vnode.props.children, h(RemainingHead, {}));
      state.seen.add("head");
      break;
    case "html":
    case "body":
      state.seen.add(vnode.type);
      break;
    case "title":
    case "meta":
    case "link":
    case "script":
    case "style":
    case "base":
    case "noscript":
    case "template":
      if (finished.has(vnode)) break;
      vnode.props = { type: vnode.type, props: vnode.props, id: vnode.key };
      vnode.type = HeadElement;
  }
}

function onComponentRendered(vnode: AnyVNode, state: RenderState): void {
  const island = state.buildCache.islands.get(vnode.type);
  if (!island || finished.has(vnode)) return;
  vnode.props = { island, component: vnode.type, props: vnode.props, id: vnode.key };
  vnode.type = IslandHost;
}

function appended(children: ComponentChildren, child: AnyVNode): ComponentChildren {
  return Array.isArray(children) ? [...children, child] : [children, child];
}

/** Tells links to this page, and to those above it, from others. */
function markCurrent(props: Record<string, unknown>, url: URL): void {
  const { href } = props;
  if (typeof href !== "string" || !href.startsWith("/")) return;
  if (props["aria-current"] !== undefined) return;
  const search = /\?[^#]*/.exec(href)?.[0] ?? "";
  const target = withoutSlash(href.replace(/[?#].*$/s, ""));
  const current = withoutSlash(url.pathname);
  if (target === current && (search === "" || search === "?" || search === url.search)) {
    props["data-current"] = "true";
    props["aria-current"] = "page";
  } else if (target === "/" || target === current || current.startsWith(target + "/")) {
    props["data-ancestor"] = "true";
    props["aria-current"] = "true";
  }
}

function withoutSlash(path: string): string {
  return path !== "/" && path.endsWith("/") ? path.slice(0, -1) : path;
}
