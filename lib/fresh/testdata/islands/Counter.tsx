import { type Signal, useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useState } from "react";
import { Note } from "./Note.tsx";

interface Props {
  count: Signal<number>;
  label: string;
  since: Date;
  children?: ComponentChildren;
}

/** Two of them with one signal count together. */
export default function Counter({ count, label, since, children }: Props) {
  const double = useComputed(() => count.value * 2);
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="counter" data-label={label}>
      <button type="button" onClick={() => count.value++}>{count}</button>
      <output>{double}</output>
      <time>{since.getUTCFullYear()}</time>
      <button type="button" class="toggle" onClick={() => setOpen(!isOpen)}>more</button>
      {isOpen && <Note text="inner" />}
      {children}
    </div>
  );
}
