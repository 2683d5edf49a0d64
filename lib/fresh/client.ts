import { type ComponentType, h, render } from "preact";

type Props = Record<string, unknown>;

/** Brings a page's islands to life: each lies between two comments that the server wrote. */
export function boot(components: ComponentType<Props>[], propsText: string): void {
  const allProps: Props[] = JSON.parse(propsText);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
  let start: Comment | null = null;
  while (walker.nextNode()) {
    const mark = walker.currentNode as Comment;
    if (mark.data.startsWith("frsh:island:")) {
      start = mark;
    } else if (mark.data === "/frsh:island" && start) {
      const index = Number(start.data.split(":")[2]);
      const place = betweenMarks(start, mark);
      // One task an island: a large one does not hold up the others.
      setTimeout(() => render(h(components[index], allProps[index]), place));
    }
  }
}

/** What lies between two comments, as an element for preact to render into. */
function betweenMarks(start: Comment, end: Comment): Element {
  const parent = start.parentNode as Element;
  if (parent !== end.parentNode) {
    throw new Error("HTML does not allow an island where it is, and tore it apart.");
  }
  const childNodes: ChildNode[] = [];
  for (let node = start.nextSibling; node && node !== end; node = node.nextSibling) {
    childNodes.push(node);
  }
  const element = {
    namespaceURI: parent.namespaceURI,
    firstChild: childNodes[0] ?? null,
    childNodes,
    insertBefore: (node: Node, before: Node | null) => parent.insertBefore(node, before ?? end),
  };
  return element as unknown as Element;
}
