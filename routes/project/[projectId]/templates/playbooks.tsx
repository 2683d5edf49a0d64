import { FoundPlaybooks } from "@/components/templates/PlaybookField.tsx";
import { partResponse } from "@/lib/web/pages/part.ts";
import { define } from "@/lib/web/state.ts";
import { loadFetched, loadLatest } from "@/routes/(_pages)/resources/connection_tests.ts";

/**
 * Responds with the suggestions for the playbook in a template's form. They are the fetched ones,
 * or with `latest` those that the repository has now.
 */
export const handler = define.handlers({
  async GET({ state, url }) {
    const { latest, working_directory: folder, ...values } = Object.fromEntries(url.searchParams);
    const load = latest === undefined ? loadFetched : loadLatest;
    return partResponse(
      state.ui,
      <FoundPlaybooks ui={state.ui} found={await load(state.scope, values)} folder={folder} />,
    );
  },
});
