import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";

/** Responds with one element of a page, which the page's script puts in its place. */
export const partResponse = (element: VNode): Response =>
  new Response(renderToString(element), {
    headers: { "Content-Type": "text/html; charset=utf-8" },
  });
