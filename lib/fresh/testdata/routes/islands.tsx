import Counter from "../islands/Counter.tsx";
import { Note } from "../islands/Note.tsx";

/** Characters that could end a script, or a line in one. */
const LABEL = "</script><b>\u2028\u2029";

export default () => (
  <>
    <Counter start={3} label={LABEL} />
    <Counter start={5} label="second" />
    <Note text="alone" />
  </>
);
