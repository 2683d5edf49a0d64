import { type ComponentType, Fragment, h, render, type VNode } from "preact";
import { parse, SlotRef } from "./deserialize.ts";

/** An island in the page: what lies between its two marks. */
interface Root {
  name: string;
  props: Record<string, unknown>;
  start: Comment;
  end: Comment;
}

// deno-lint-ignore no-explicit-any
type Value = any;
type Islands = Record<string, ComponentType<Value>>;
type Content = (VNode<Value> | string)[];

/** Brings a page's islands to life; `propsText` is what the server wrote of their props. */
export function boot(islands: Islands, propsText: string): void {
  const allProps = parse(propsText) as Record<string, unknown>[];
  const { roots, slots } = findMarks(document.body);
  for (const { start, end } of roots) {
    const [, , name, index] = start.data.split(":");
    if (start.parentNode !== end.parentNode) {
      // deno-lint-ignore no-console
      console.error(`The island ${name} was torn apart: HTML does not allow it at its place.`);
      continue;
    }
    const root = { name, props: allProps[Number(index)], start, end };
    // One task an island: a large one does not hold up the others.
    setTimeout(() => revive(root, { islands, allProps, slots }));
  }
}

interface Page {
  islands: Islands;
  allProps: Record<string, unknown>[];
  slots: Map<number, Range>;
}
interface Range {
  start: Comment;
  end: Comment;
}

function revive({ name, props, start, end }: Root, page: Page): void {
  const filled = fillSlots(props, page);
  render(h(page.islands[name], filled), rangeAsElement({ start, end }));
}

/** Puts the nodes that the server rendered where the props have a slot. */
function fillSlots(props: Record<string, unknown>, page: Page): Record<string, unknown> {
  const filled: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(props)) {
    filled[name] = value instanceof SlotRef ? h(Fragment, null, slotContent(value, page)) : value;
  }
  return filled;
}

function slotContent({ id }: SlotRef, page: Page): Content {
  const range = page.slots.get(id);
  if (range) {
    const content = toVNodes(range.start.nextSibling, range.end, page);
    range.start.remove();
    range.end.remove();
    return content;
  }
  const template = document.getElementById(`frsh-slot-${id}`) as HTMLTemplateElement | null;
  return template ? toVNodes(template.content.firstChild, null, page) : [];
}

/** Reads nodes back into JSX; an island among them becomes its component again. */
function toVNodes(first: Node | null, end: Node | null, page: Page): Content {
  const content: Content = [];
  for (let node = first; node && node !== end; node = node.nextSibling) {
    if (node instanceof Text) {
      content.push(node.data);
    } else if (node instanceof Element) {
      const props: Record<string, unknown> = {};
      for (const { name, value } of node.attributes) {
        const isFlag = typeof (node as unknown as Record<string, unknown>)[name] === "boolean";
        props[name] = isFlag ? true : value;
      }
      const children = node instanceof HTMLTemplateElement ? node.content : node;
      content.push(h(node.localName, props, toVNodes(children.firstChild, null, page)));
    } else if (node instanceof Comment && node.data.startsWith("frsh:island:")) {
      const [, , name, index, key] = node.data.split(":");
      const props = fillSlots(page.allProps[Number(index)], page);
      content.push(h(page.islands[name], { ...props, key: key || undefined }));
      node = closingMark(node);
    }
  }
  return content;
}

function closingMark(start: Comment): Comment {
  let depth = 0;
  for (let node: Node | null = start; node; node = node.nextSibling) {
    if (!(node instanceof Comment)) continue;
    if (node.data.startsWith("frsh:island:")) depth++;
    else if (node.data === "/frsh:island" && --depth === 0) return node;
  }
  throw new Error(`No end of ${start.data}`);
}

/** The islands that are in no other island, and all slots. */
function findMarks(body: Element): { roots: Range[]; slots: Map<number, Range> } {
  const slots = new Map<number, Range>();
  for (const template of body.querySelectorAll<HTMLTemplateElement>("template[id^=frsh-slot]")) {
    // Islands in here come alive once they are shown.
    collectMarks(template.content, slots);
  }
  return { roots: collectMarks(body, slots), slots };
}

function collectMarks(parent: Node, slots: Map<number, Range>): Range[] {
  const roots: Range[] = [];
  const open: Comment[] = [];
  const walker = document.createTreeWalker(parent, NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) {
    const mark = walker.currentNode as Comment;
    if (mark.data.startsWith("frsh:")) open.push(mark);
    const start = mark.data.startsWith("/frsh:") && open.pop();
    if (!start) continue;
    const [, kind, id] = start.data.split(":");
    if (kind === "slot") slots.set(Number(id), { start, end: mark });
    else if (open.length === 0) roots.push({ start, end: mark });
  }
  return roots;
}

/** Lets preact render between two marks as if they were an element. */
function rangeAsElement({ start, end }: Range): Element {
  const parent = start.parentNode as Element;
  const childNodes = () => {
    const nodes: ChildNode[] = [];
    for (let node = start.nextSibling; node && node !== end; node = node.nextSibling) {
      nodes.push(node);
    }
    return nodes;
  };
  const element = {
    nodeType: Node.ELEMENT_NODE,
    parentNode: parent,
    namespaceURI: parent.namespaceURI,
    nextSibling: null,
    get firstChild() {
      return start.nextSibling === end ? null : start.nextSibling;
    },
    get childNodes() {
      return childNodes();
    },
    insertBefore: (node: Node, before: Node | null) => parent.insertBefore(node, before ?? end),
    appendChild: (node: Node) => parent.insertBefore(node, end),
    removeChild: (node: Node) => parent.removeChild(node),
    contains: (node: Node | null) => childNodes().some((child) => child.contains(node)),
  };
  return element as unknown as Element;
}
