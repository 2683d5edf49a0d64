import { define } from "../state.ts";

export default define.layout(({ Component }) => (
  <main>
    <Component />
  </main>
));
