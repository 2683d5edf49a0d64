import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Ui } from "../../i18n/ui.ts";
import { withSheets } from "./sheets.ts";

/**
 * Responds with one element of a page, which the page's script puts in its place. It is sent as
 * plain text, because a browser that opens its address must not take it for a page.
 */
export const partResponse = (ui: Pick<Ui, "href">, element: VNode): Response =>
  new Response(withSheets(ui, renderToString(element)), {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
