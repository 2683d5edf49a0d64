import type { VNode } from "preact";
import { jsxTemplate } from "preact/jsx-runtime";
import { renderToString } from "preact-render-to-string";

/**
 * Renders the parts of a long page to one flat string, on the server only. The string of the
 * renderer is a tree of some hundred thousand pieces, which costs more to keep than to make.
 */
export const Flat = ({ children }: { children: VNode[] }) =>
  jsxTemplate([children.map((part) => renderToString(part)).join("")]);
