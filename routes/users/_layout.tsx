import { Frame } from "@/components/shell/Frame.tsx";
import { define } from "@/lib/web/state.ts";
import { frameOutside } from "@/routes/(_pages)/frame_outside.ts";

/** Drawer with the pages of the server. */
export default define.layout(async ({ Component, state, ...request }) => (
  <Frame {...await frameOutside(state, request)}>
    <Component />
  </Frame>
));
