import { page } from "fresh";
import { Frame } from "@/components/shell/Frame.tsx";
import { Shortcuts } from "@/components/shortcuts/Shortcuts.tsx";
import { Title } from "@/components/ui/Page.tsx";
import { paths } from "@/lib/base/paths.ts";
import { define, signedIn, userScope } from "@/lib/web/state.ts";
import { frameOf } from "@/lib/web/pages/frame.ts";
import { listProjects } from "@/lib/maintenance/projects/service.ts";

export const handler = define.handlers({
  GET: async ({ state }) => page({ projects: await listProjects(userScope(state)) }),
});

export default define.page<typeof handler>(({ data, state, url, req }) => {
  const { ui, deps } = state;
  const frame = frameOf(deps, signedIn(state), { url, req });
  return (
    <Frame {...frame} ui={ui} shell={null} projects={data.projects}>
      <Title ui={ui} parts={[ui.t("shortcuts.title")]} />
      <Shortcuts ui={ui} areOn={frame.shortcuts} close={ui.href(paths.account())} />
    </Frame>
  );
});
