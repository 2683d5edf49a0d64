// Renders components again when signals that they read have changed. Fresh's script has it, too.
import "@preact/signals";
import { type ComponentType, h, render } from "preact";

type Props = Record<string, unknown>;

/**
 * Hydrates a page's islands. Each one lies between two comments that the server wrote. As in Fresh,
 * empty text nodes replace the comments, so that a later call finds only islands added since.
 */
export function boot(components: ComponentType<Props>[], propsText: string): void {
  const allProps: Props[] = JSON.parse(propsText);
  const marks: Comment[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) marks.push(walker.currentNode as Comment);
  let start: Text | null = null;
  let index = 0;
  for (const mark of marks) {
    const { data } = mark;
    if (data.startsWith("frsh:island:")) {
      start = emptied(mark);
      index = Number(data.split(":")[2]);
    } else if (data === "/frsh:island" && start) {
      const island = h(components[index], allProps[index]);
      const place = betweenMarks(start, emptied(mark));
      // Each island is a browser task of its own, so a large one does not block the others.
      setTimeout(() => render(island, place));
    }
  }
}

function emptied(mark: Comment): Text {
  const text = new Text();
  mark.replaceWith(text);
  return text;
}

/** Returns the nodes between two markers as an element that preact can render into. */
function betweenMarks(start: Text, end: Text): Element {
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
