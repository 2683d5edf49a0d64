import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";

/**
 * Responds with one element of a page, which the page's script puts in its place. It is sent as
 * plain text, because a browser that opens its address must not take it for a page.
 */
export const partResponse = (element: VNode): Response =>
  new Response(renderToString(element), {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
