import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { Note } from "./Note.tsx";

interface Props {
  start: number;
  label: string;
}

/** Counts with a signal. The note in it is an island only where it stands alone. */
export default function Counter({ start, label }: Props) {
  const count = useSignal(start);
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="counter" data-label={label}>
      <button type="button" onClick={() => count.value++}>{count}</button>
      <button type="button" class="toggle" onClick={() => setOpen(!isOpen)}>more</button>
      {isOpen && <b>opened</b>}
      <Note text={`in ${start}`} />
    </div>
  );
}
