import { define } from "../../state.ts";

export default define.layout(({ Component }) => (
  <section>
    <Component />
  </section>
));
