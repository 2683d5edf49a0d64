import Counter from "../islands/Counter.tsx";
import { Note } from "../islands/Note.tsx";

export default () => (
  <>
    <Counter start={3} label="</script><b>" />
    <Counter start={5} label="second" />
    <Note text="alone" />
  </>
);
