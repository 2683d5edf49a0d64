import { define } from "@/lib/web/state.ts";

/** Pages that stand alone, in the middle. */
export default define.layout(({ Component }) => (
  <main id="main" class="alone" tabIndex={-1}>
    <Component />
  </main>
));
