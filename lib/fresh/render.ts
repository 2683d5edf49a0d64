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
import type { FreshConfig } from "./config.ts";
import { ALIVE_PATH, Head } from "./runtime.ts";

// deno-lint-ignore no-explicit-any
export type AnyVNode = VNode<any>;
type Props = Record<string, unknown>;

/** Data of the request that rendering a page needs. */
interface About {
  url: URL;
  config: Required<FreshConfig>;
  buildCache: BuildCache;
  /** Allows the page's own scripts and styles in the content security policy. */
  nonce: string;
}

/** State that is collected while a page is rendered. */
interface Rendering extends About {
  islands: { island: Island; props: Props }[];
  /** Title from a page's <Head>, for the head of the document. */
  title: AnyVNode | null;
  hasBody: boolean;
}

/**
 * State of the current rendering. Preact's hooks are global and have no other way to find it.
 * Rendering is synchronous, so there is never more than one.
 */
let current: Rendering | null = null;

/**
 * Renders a page and then its wrapper. The wrapper's `Component` shows the vnode passed to
 * `setInner`.
 */
export function renderDocument(
  page: AnyVNode | null,
  wrapper: AnyVNode | null,
  setInner: (rendered: AnyVNode) => void,
  about: About,
): string {
  const rendering: Rendering = { ...about, islands: [], title: null, hasBody: false };
  current = rendering;
  try {
    let html = renderToString(page ?? h(Fragment, null));
    if (wrapper) {
      // Rendered after the page, so that the wrapper's <head> includes the content of the page's
      // <Head>.
      setInner(jsxTemplate([html]) as VNode);
      html = renderToString(wrapper);
    }
    if (rendering.islands.length > 0 && !rendering.hasBody) {
      throw new Error("A page with islands needs a <body>, whose last script wakes them up.");
    }
    return "<!DOCTYPE html>" + html;
  } finally {
    current = null;
  }
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

function beforeRendering(vnode: AnyVNode, rendering: Rendering): void {
  const { type, props } = vnode;
  if (type === "script" || type === "style") {
    vnode.props = { ...props, nonce: rendering.nonce };
  } else if (type === "head") {
    const isOwn = (child: AnyVNode | string | number) =>
      rendering.title === null || typeof child !== "object" || child.type !== "title";
    const children = toChildArray(props.children).filter(isOwn);
    vnode.props = { ...props, children: [...children, rendering.title] };
  } else if (type === "body") {
    rendering.hasBody = true;
    vnode.props = { ...props, children: [props.children, h(Scripts, null)] };
  } else if (type === Head) {
    rendering.title = onlyTitle(props.children);
  } else if (rendering.buildCache.islands.has(type) && !insideHost.has(vnode)) {
    vnode.type = IslandHost;
    vnode.props = { component: type, props };
  }
}

/**
 * Accepts only a title. Fresh merges duplicate elements of the document's head; this stand-in does
 * not.
 */
function onlyTitle(children: ComponentChildren): AnyVNode {
  const [title, ...others] = toChildArray(children);
  if (typeof title !== "object" || title.type !== "title" || others.length > 0) {
    throw new Error("The stand-in for Fresh knows <Head> with one <title> alone.");
  }
  return title;
}

const InsideIsland = createContext(false);
/** Elements created by an `IslandHost`, which need no host of their own. */
const insideHost = new WeakSet<VNode>();

/** Puts markers around an island, unless it is part of another island. */
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

/** Reloads the page when the development server is back after a restart. */
const RELOAD = `(function connect(old) {
  const socket = new WebSocket("${ALIVE_PATH}");
  socket.onmessage = ({ data }) => (old ??= data) === data || location.reload();
  socket.onclose = () => setTimeout(connect, 500, old);
})();`;

/**
 * Renders the end of <body>: the script that hydrates islands and, in development, the reloader.
 */
function Scripts(): AnyVNode {
  const { islands, buildCache: { clientEntry }, config: { basePath, mode } } = current!;
  const script = (__html: string) =>
    h("script", { type: "module", dangerouslySetInnerHTML: { __html } });
  return h(Fragment, null, [
    islands.length > 0 && script(bootScript(islands, basePath, clientEntry)),
    mode === "development" && script(RELOAD),
  ]);
}

function bootScript(islands: Rendering["islands"], basePath: string, clientEntry: string): string {
  const kinds = [...new Set(islands.map(({ island }) => island))];
  const imported = [
    { file: clientEntry, name: "boot" },
    ...kinds.map(({ exportName, file }, i) => ({ file, name: `${exportName} as i${i}` })),
  ];
  const imports = [...Map.groupBy(imported, ({ file }) => basePath + file)].map(([file, names]) =>
    `import{${names.map(({ name }) => name)}}from${JSON.stringify(file)};`
  );
  const names = islands.map(({ island }) => `i${kinds.indexOf(island)}`);
  const props = JSON.stringify(propsText(islands.map(({ props }) => props)));
  const script = `${imports.join("")}boot([${names}],${props});`;
  // No text in a script may end the script, begin a comment in it or, in older browsers, end a
  // line.
  return script.replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Returns the islands' props as JSON. Throws if JSON would change or omit a value. */
export const propsText = (allProps: Props[]): string => JSON.stringify(allProps, onlyPlain);

function onlyPlain(this: Props, name: string, value: unknown): unknown {
  const given = this[name];
  const isPlain = typeof given === "object"
    ? given === null ||
      [Array.prototype, Object.prototype, null].includes(Object.getPrototypeOf(given))
    : ["string", "boolean"].includes(typeof given) || Number.isFinite(given) ||
      // JSON omits it from an object, but a list would contain null instead.
      (given === undefined && !Array.isArray(this));
  if (!isPlain) throw new TypeError(`An island's props must be plain, but "${name}" is not.`);
  return value;
}

/** Marks links to the current page and to the pages above it. */
function markCurrent(props: Props, url: URL): void {
  const { href } = props;
  if (typeof href !== "string" || !href.startsWith("/")) return;
  if (props["aria-current"] !== undefined) return;
  const search = /\?[^#]*/.exec(href)?.[0] ?? "";
  const target = href.replace(/[?#].*$/s, "");
  const here = url.pathname;
  if (target === here && (search === "" || search === "?" || search === url.search)) {
    props["data-current"] = "true";
    props["aria-current"] = "page";
  } else if (target === "/" || target === here || here.startsWith(target + "/")) {
    props["data-ancestor"] = "true";
    props["aria-current"] = "true";
  }
}
