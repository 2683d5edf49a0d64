import {
  type ComponentChildren,
  type ComponentType,
  createContext,
  Fragment,
  h,
  isValidElement,
  type Options,
  options,
  type VNode,
} from "preact";
import { useContext } from "preact/hooks";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";
import type { BuildCache, Island } from "./build_cache.ts";
import type { Context } from "./context.ts";
import { asset, assetSrcSet, HeadContext } from "./runtime.ts";
import { isSignal, stringify } from "./serialize.ts";

/** Where a response keeps its nonce for the content security policy; Fresh's own symbol. */
export const NONCE: unique symbol = Symbol.for("__freshNonce");

// deno-lint-ignore no-explicit-any
export type AnyVNode = VNode<any>;

/** What one rendering finds on its way. */
interface RenderState {
  ctx: Context<unknown>;
  buildCache: BuildCache;
  nonce: string;
  islands: Set<Island>;
  islandProps: Record<string, unknown>[];
  /** JSX given to islands; null once an island has shown it. */
  slots: (ComponentChildren | null)[];
  /** What <Head> collected, until the document's head takes it. */
  head: Map<string, AnyVNode>;
  seen: Set<string>;
  hasScript: boolean;
}

// Rendering is synchronous, and preact's hooks are global: this is the rendering under way.
let active: RenderState | null = null;
/** Elements whose hook has run, which must not be replaced again. */
const finished = new WeakSet<VNode>();
const InsideIsland = createContext(false);

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
  active = state;
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
    active = null;
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
  if (active !== null) {
    if (typeof vnode.type === "string") onElementRendered(vnode, active);
    else onComponentRendered(vnode, active);
  }
  previousDiffHook?.(vnode);
};

function onElementCreated({ type, props }: AnyVNode): void {
  switch (type) {
    case "a":
      if (active) markCurrent(props, active.ctx.url);
      break;
    case "script":
    case "style":
      if (active) props.nonce ||= active.nonce;
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

interface HeadElementProps {
  type: string;
  props: Record<string, unknown>;
  id?: string;
}

/** An element that <Head> moves to the document's head, where it replaces its like. */
function HeadElement({ type, props, id }: HeadElementProps): VNode | null {
  const isMoved = useContext(HeadContext);
  const element = h(type, id ? { ...props, "data-key": id } : props) as AnyVNode;
  finished.add(element);
  const { head } = active!;
  if (!isMoved && head.size === 0) return element;

  const key = id ?? headKey(type, props);
  if (isMoved) {
    head.set(key, element);
    return null;
  }
  const moved = head.get(key);
  head.delete(key);
  return moved ?? element;
}

/** Two elements with the same key stand for the same thing; the page's replaces the wrapper's. */
function headKey(type: string, props: Record<string, unknown>): string {
  if (type === "title") return type;
  const ignored = ["children", "nonce", "ref", { meta: "content", link: "href" }[type]];
  const names = Object.keys(props).filter((name) => !ignored.includes(name)).sort();
  const html = (value: unknown) => (value as { __html?: unknown })?.__html ?? value;
  return [type, ...names.map((name) => `${name}=${html(props[name])}`)].join("::");
}

function RemainingHead(): VNode {
  return h(Fragment, null, [...active!.head.values()]);
}

interface IslandHostProps {
  island: Island;
  component: ComponentType;
  props: Record<string, unknown>;
  id?: string;
}

/** Puts marks around an island, and around the JSX that it was given. */
function IslandHost({ island, component, props, id }: IslandHostProps): VNode {
  if (useContext(InsideIsland)) return islandElement(component, { ...props, key: id });
  const { islands, islandProps, slots } = active!;
  islands.add(island);
  const sent = { ...props };
  for (const [name, value] of Object.entries(sent)) {
    if (name !== "children" && (!isValidElement(value) || isSignal(value))) continue;
    sent[name] = h(Slot, { id: slots.push(value as ComponentChildren) - 1, content: value });
  }
  const index = islandProps.push(sent) - 1;
  const element = h(InsideIsland.Provider, { value: true }, islandElement(component, sent));
  return marked(element, "island", `${island.name}:${index}:${id ?? ""}`);
}

function islandElement(component: ComponentType, props: Record<string, unknown>): VNode {
  const element = h(component, props);
  finished.add(element);
  return element;
}

interface SlotProps {
  id: number;
  content: unknown;
}

/** Shows JSX that the server rendered inside of an island. */
function Slot({ id, content }: SlotProps): VNode {
  active!.slots[id] = null;
  const children = content as ComponentChildren;
  return marked(h(InsideIsland.Provider, { value: false }, children), "slot", String(id));
}

function marked(content: AnyVNode, kind: string, text: string): VNode {
  const comment = (value: string) => h(Fragment, { UNSTABLE_comment: value } as object);
  return h(
    Fragment,
    null,
    comment(`frsh:${kind}:${text}`),
    content,
    comment(`/frsh:${kind}`),
  );
}

/** The last child of <body>: hidden slots, and the script that brings islands to life. */
function Scripts(): VNode | null {
  if (active === null || active.hasScript) return null;
  active.hasScript = true;
  const { slots, buildCache, ctx } = active;
  // An island may show its JSX only later: until then a template keeps it.
  const templates = slots.map((content, id) =>
    content === null ? null : h("template", { id: `frsh-slot-${id}` }, content)
  );
  const reload = buildCache.reloadEntry &&
    h("script", { type: "module", src: ctx.config.basePath + buildCache.reloadEntry });
  return h(Fragment, null, templates, h(BootScript, null), reload);
}

function BootScript(): AnyVNode | null {
  const { islands, islandProps, buildCache, ctx } = active!;
  if (islands.size === 0) return null;
  const address = (file: string) => JSON.stringify(ctx.config.basePath + file);
  const imports = Array.from(
    islands,
    ({ exportName, name, file }) => `import{${exportName} as ${name}}from${address(file)};`,
  );
  const names = Array.from(islands, ({ name }) => name);
  const props = JSON.stringify(stringify(islandProps, toSlotId));
  const script = `import{boot}from${address(buildCache.clientEntry)};${imports.join("")}` +
    `boot({${names}},${props});`;
  // No text in a script may end the script, or begin a comment in it.
  const __html = script.replaceAll("<", "\\u003c");
  return h("script", { type: "module", dangerouslySetInnerHTML: { __html } });
}

/** The slot that an element in an island's props stands for. */
function toSlotId(value: object): number | null {
  return isValidElement(value) && value.type === Slot ? (value as VNode<SlotProps>).props.id : null;
}
