import { Languages } from "@/components/shell/Preferences.tsx";
import { define } from "@/lib/web/state.ts";

/** Layout of pages without navigation: centered, with the languages below. */
export default define.layout(({ Component, state: { ui }, url, config }) => (
  <main id="main" class="alone" tabIndex={-1}>
    <Component />
    <Languages ui={ui} here={url.pathname.slice(config.basePath.length) + url.search} />
  </main>
));
