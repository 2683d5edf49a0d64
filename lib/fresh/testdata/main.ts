import { App, csp, csrf, staticFiles } from "fresh";
import type { State } from "./state.ts";

export const app = new App<State>()
  .use(staticFiles())
  .use(csp({ useNonce: true }))
  .use(csrf({ origin: (origin, { url }) => origin === url.origin }))
  .fsRoutes();
