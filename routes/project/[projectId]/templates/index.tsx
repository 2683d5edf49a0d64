import { TemplatesPage } from "@/components/templates/TemplatesPage.tsx";
import { define, signedIn } from "@/lib/deps.ts";
import { loadTemplates } from "@/lib/templates/page.ts";
import { page } from "fresh";

export const handler = define.handlers({
  async GET({ state }) {
    return page(await loadTemplates(state.deps, signedIn(state), state.shell.project.id, null));
  },
});

export default define.page<typeof handler>(({ data, state }) => (
  <TemplatesPage ui={state.ui} shell={state.shell} {...data} />
));
