import { ToolchainBuild } from "@/components/toolchains/ToolchainBuild.tsx";
import { followBuild } from "@/lib/resources/toolchains/builds.ts";
import { toolchainService } from "@/lib/resources/toolchains/service.ts";
import { openStream } from "@/lib/web/event_stream.ts";
import { htmlEvents } from "@/lib/web/pages/live.ts";
import { pageId } from "@/lib/web/pages/page_ids.ts";
import { define } from "@/lib/web/state.ts";

/** Streams the build of a toolchain until it has ended. */
export const handler = define.handlers({
  async GET({ state, params, req }) {
    const { scope, ui } = state;
    const { id } = await toolchainService.get(scope, pageId(params.toolchainId));
    return openStream(state, req.headers, async function* (gone) {
      for await (const build of followBuild(scope, id, gone)) {
        yield* htmlEvents([ToolchainBuild({ ui, build })]);
      }
    });
  },
});
