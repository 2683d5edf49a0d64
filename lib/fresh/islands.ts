import {
  type ComponentChildren,
  type ComponentType,
  createContext,
  Fragment,
  h,
  isValidElement,
  type VNode,
} from "preact";
import { useContext } from "preact/hooks";
import type { Island } from "./build_cache.ts";
import { type AnyVNode, finished, rendering } from "./render_state.ts";
import { isSignal, stringify } from "./serialize.ts";

const InsideIsland = createContext(false);

interface IslandHostProps {
  island: Island;
  component: ComponentType;
  props: Record<string, unknown>;
  id?: string;
}

/** Puts marks around an island, and around the JSX that it was given. */
export function IslandHost({ island, component, props, id }: IslandHostProps): VNode {
  if (useContext(InsideIsland)) return islandElement(component, { ...props, key: id });
  const { islands, islandProps, slots } = rendering.state!;
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
  rendering.state!.slots[id] = null;
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
export function Scripts(): VNode | null {
  const { state } = rendering;
  if (state === null || state.hasScript) return null;
  state.hasScript = true;
  const { buildCache, ctx } = state;
  const reload = buildCache.reloadEntry &&
    h("script", { type: "module", src: ctx.config.basePath + buildCache.reloadEntry });
  return h(Fragment, null, h(HiddenSlots, { first: 0 }), h(BootScript, null), reload);
}

/** JSX that an island may show later: until then a template keeps it. */
function HiddenSlots({ first }: { first: number }): VNode | null {
  const { slots } = rendering.state!;
  if (first === slots.length) return null;
  const templates = slots.slice(first).map((content, i) =>
    content === null ? null : h("template", { id: `frsh-slot-${first + i}` }, content)
  );
  // Islands in the templates may bring slots of their own.
  return h(Fragment, null, templates, h(HiddenSlots, { first: slots.length }));
}

function BootScript(): AnyVNode | null {
  const { islands, islandProps, buildCache, ctx } = rendering.state!;
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
