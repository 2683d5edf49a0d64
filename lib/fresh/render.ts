import {
  type ComponentChildren,
  type ComponentType,
  createContext,
  Fragment,
  h,
  options as preactOptions,
  toChildArray,
  type VNode,
} from "preact";
import { useContext } from "preact/hooks";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";
import type { BuildCache, Island } from "./build_cache.ts";
import { Head } from "./runtime.ts";

// deno-lint-ignore no-explicit-any
export type AnyVNode = VNode<any>;
type Props = Record<string, unknown>;

/** What is known of the page that is being rendered, and what is found on the way. */
interface Rendering {
  url: URL;
  basePath: string;
  buildCache: BuildCache;
  nonce: string;
  islands: { island: Island; props: Props }[];
  /** What <Head> collected, until the document's head takes it. */
  head: Map<string, AnyVNode>;
}

/**
 * Preact's hooks are global, and know no other way to find it; rendering is synchronous, so there
 * is never more than one.
 */
let current: Rendering | null = null;

interface Document {
  url: URL;
  basePath: string;
  buildCache: BuildCache;
  /** What the content security policy allows the page's own scripts and styles by. */
  nonce: string;
  page: AnyVNode | null;
  wrapper: AnyVNode | null;
  /** Hands the rendered page to the app wrapper's `Component`. */
  setInner(rendered: AnyVNode): void;
}

/** Renders a whole page: its HTML, and what the browser should load early. */
export function renderDocument({ page, wrapper, setInner, ...about }: Document) {
  const rendering = current = { ...about, islands: [], head: new Map() };
  try {
    let html = renderToString(page ?? h(Fragment, null));
    if (wrapper) {
      // After the page, so that the wrapper's <head> has what the page's <Head> brings.
      setInner(jsxTemplate([html]) as VNode);
      html = renderToString(wrapper);
    }
    return { html: "<!DOCTYPE html>" + html, preload: preloadHeader(rendering) };
  } finally {
    current = null;
  }
}

function preloadHeader({ islands, basePath, buildCache }: Rendering): string {
  if (islands.length === 0) return "";
  const files = new Set([buildCache.clientEntry, ...islands.map(({ island }) => island.file)]);
  return Array.from(
    files,
    (file) => `<${encodeURI(basePath + file)}>; rel="modulepreload"; as="script"`,
  ).join(", ");
}

const hooks = preactOptions as typeof preactOptions & { __b?(vnode: AnyVNode): void };

const previousVnodeHook = hooks.vnode;
hooks.vnode = (vnode) => {
  if (current && vnode.type === "a") markCurrent(vnode.props as Props, current.url);
  previousVnodeHook?.(vnode);
};

const previousDiffHook = hooks.__b;
hooks.__b = (vnode) => {
  if (current) beforeRendering(vnode, current);
  previousDiffHook?.(vnode);
};

function beforeRendering(vnode: AnyVNode, { buildCache, head, nonce }: Rendering): void {
  const { type, props } = vnode;
  if (type === "script" || type === "style") {
    vnode.props = { ...props, nonce };
  } else if (type === "head") {
    vnode.props = { ...props, children: withCollected(props.children, head) };
  } else if (type === "body") {
    vnode.props = { ...props, children: [props.children, h(Scripts, null)] };
  } else if (type === Head) {
    for (const child of toChildArray(props.children)) {
      if (typeof child === "object") head.set(headKey(child), child);
    }
  } else if (buildCache.islands.has(type) && !insideHost.has(vnode)) {
    vnode.type = IslandHost;
    vnode.props = { component: type, props };
  }
}

/** A head's own elements, each replaced by its like that the page brought, then the other ones. */
function withCollected(children: ComponentChildren, head: Map<string, AnyVNode>) {
  const own = toChildArray(children).map((child) => {
    const key = typeof child === "object" ? headKey(child) : "";
    const collected = head.get(key);
    head.delete(key);
    return collected ?? child;
  });
  return [...own, ...head.values()];
}

/** Two elements with the same key stand for the same thing. */
function headKey({ type, props }: AnyVNode): string {
  if (type === "title") return type;
  const ignored = ["children", "nonce", type === "meta" ? "content" : "href"];
  const names = Object.keys(props).filter((name) => !ignored.includes(name)).sort();
  return [type, ...names.map((name) => `${name}=${props[name]}`)].join("::");
}

const InsideIsland = createContext(false);
/** Elements that an `IslandHost` made, which need no host of their own. */
const insideHost = new WeakSet<VNode>();

/** Puts marks around an island, unless it is a part of another one. */
function IslandHost({ component, props }: { component: ComponentType; props: Props }): VNode {
  const element = h(component, props);
  insideHost.add(element);
  if (useContext(InsideIsland)) return element;
  const { islands, buildCache } = current!;
  const index = islands.push({ island: buildCache.islands.get(component)!, props }) - 1;
  const mark = (text: string) => h(Fragment, { UNSTABLE_comment: text } as object);
  const content = h(InsideIsland.Provider, { value: true }, element);
  return h(Fragment, null, mark(`frsh:island:${index}`), content, mark("/frsh:island"));
}

/** What ends <body>: the script that brings islands to life and, in development, the reloader. */
function Scripts(): AnyVNode {
  const { islands, buildCache: { clientEntry, reloadEntry }, basePath } = current!;
  const boot = islands.length > 0 && bootScript(islands, basePath, clientEntry);
  return h(
    Fragment,
    null,
    boot && h("script", { type: "module", dangerouslySetInnerHTML: { __html: boot } }),
    reloadEntry && h("script", { type: "module", src: basePath + reloadEntry }),
  );
}

function bootScript(islands: Rendering["islands"], basePath: string, clientEntry: string): string {
  const from = (file: string) => `from${JSON.stringify(basePath + file)};`;
  const kinds = [...new Set(islands.map(({ island }) => island))];
  const imports = kinds.map(({ exportName, file }, i) =>
    `import{${exportName} as i${i}}${from(file)}`
  );
  const names = islands.map(({ island }) => `i${kinds.indexOf(island)}`);
  const props = JSON.stringify(propsText(islands.map(({ props }) => props)));
  const script = `import{boot}${from(clientEntry)}${imports.join("")}boot([${names}],${props});`;
  // No text in a script may end the script, begin a comment in it, or, in older browsers, a line.
  return script.replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The islands' props as JSON; throws when that would change or leave out something. */
export function propsText(allProps: Props[]): string {
  return JSON.stringify(allProps, onlyPlain);
}

function onlyPlain(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const given = this[name];
  const isPlain = typeof given === "object"
    ? given === null ||
      [Array.prototype, Object.prototype, null].includes(Object.getPrototypeOf(given))
    : ["string", "boolean", "undefined"].includes(typeof given) || Number.isFinite(given);
  if (!isPlain) throw new TypeError(`An island's props must be plain, but "${name}" is not.`);
  return value;
}

/** Tells links to this page, and to those above it, from others. */
function markCurrent(props: Props, url: URL): void {
  const { href } = props;
  if (typeof href !== "string" || !href.startsWith("/")) return;
  if (props["aria-current"] !== undefined) return;
  const search = /\?[^#]*/.exec(href)?.[0] ?? "";
  const target = withoutSlash(href.replace(/[?#].*$/s, ""));
  const here = withoutSlash(url.pathname);
  if (target === here && (search === "" || search === "?" || search === url.search)) {
    props["data-current"] = "true";
    props["aria-current"] = "page";
  } else if (target === "/" || target === here || here.startsWith(target + "/")) {
    props["data-ancestor"] = "true";
    props["aria-current"] = "true";
  }
}

function withoutSlash(path: string): string {
  return path !== "/" && path.endsWith("/") ? path.slice(0, -1) : path;
}
