import { page } from "fresh";
import { Shortcuts } from "@/components/shortcuts/Shortcuts.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { define, signedIn } from "@/lib/web/state.ts";

export const handler = define.handlers({ GET: () => page({}) });

export default define.page<typeof handler>(({ state, url, req }) => {
  const { ui, deps } = state;
  const { shortcuts } = frameOf(deps, signedIn(state), { url, req });
  return (
    <>
      <Title ui={ui} parts={[ui.t("shortcuts.title")]} />
      <Shortcuts ui={ui} areOn={shortcuts} close={ui.href(paths.account("appearance"))} />
    </>
  );
});
