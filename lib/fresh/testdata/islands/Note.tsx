import { IS_BROWSER } from "fresh/runtime";

export function Note({ text }: { text: string }) {
  return <em data-browser={IS_BROWSER}>{text}</em>;
}
