import { Fragment, h, type VNode } from "preact";
import { useContext } from "preact/hooks";
import { type AnyVNode, finished, rendering } from "./render_state.ts";
import { HeadContext } from "./runtime.ts";

interface HeadElementProps {
  type: string;
  props: Record<string, unknown>;
  id?: string;
}

/** An element that <Head> moves to the document's head, where it replaces its like. */
export function HeadElement({ type, props, id }: HeadElementProps): VNode | null {
  const isMoved = useContext(HeadContext);
  const element = h(type, id ? { ...props, "data-key": id } : props) as AnyVNode;
  finished.add(element);
  const { head } = rendering.state!;
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

/** What <Head> collected and no element of the head stands for. */
export function RemainingHead(): VNode {
  return h(Fragment, null, [...rendering.state!.head.values()]);
}
