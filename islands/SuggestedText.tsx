import { type FormEvent, useLayoutEffect, useRef, useState } from "react";
import type { ComboboxProps } from "../components/ui/Combobox.tsx";
import type { Choosable } from "../lib/client/choice/find.ts";
import { listedIn, suggestionsFor } from "../lib/client/choice/suggestions.ts";
import { useLater } from "../lib/client/choice/use_later.ts";
import { IS_BROWSER } from "fresh/runtime";
import { islandKey } from "../lib/client/page/island_key.ts";

interface SuggestedTextProps {
  field: ComboboxProps["field"];
  value: string;
  /** Label of the list. */
  label: string;
  /** Id of the `datalist` with the suggestions. */
  list: string;
  /** Whether each suggestion is one of several words. */
  isOfWords?: boolean;
}

/** First use of the field, before it is a combobox. */
type FirstUse = "reach" | "open" | "type";

/** A text with suggestions. With its script, the field becomes a combobox as soon as it is used. */
export default function SuggestedText(props: SuggestedTextProps) {
  const { field, value, label, list, isOfWords } = props;
  const root = useRef<HTMLDivElement>(null);
  const [firstUse, setFirstUse] = useState<FirstUse | null>(null);
  const part = useLater(root, () => import("../components/ui/Combobox.tsx"), firstUse !== null);
  // Someone may have typed before the script started.
  const [text, setText] = useState(() => (IS_BROWSER && typedText(field.id)) || value);
  const [options, setOptions] = useState<Choosable[]>([]);
  const input = () => root.current!.querySelector("input")!;
  const suggest = (text: string) => setOptions(suggestionsFor(listedIn(list), text, isOfWords));
  useLayoutEffect(() => {
    if (part && firstUse === "type") suggest(text);
  }, [part]);
  return (
    <div
      ref={root}
      id={`${field.id}-search`}
      class="choice-search"
      onPointerEnter={() => setFirstUse((use) => use ?? "reach")}
      data-island={islandKey({ ...props, value: undefined })}
    >
      {part
        ? (
          <part.Combobox
            field={{ ...field, spellcheck: false }}
            label={label}
            text={text}
            options={options}
            chosen={text}
            opens={firstUse !== "reach"}
            onType={(text) => {
              setText(text);
              suggest(text);
            }}
            onOpen={() => suggest(isOfWords ? text : "")}
            onClose={() => setOptions([])}
            onChoose={({ value }) => {
              setText(value);
              // Rendered first, so that others find the new text.
              setTimeout(() => {
                for (const type of ["input", "change"]) {
                  input().dispatchEvent(new Event(type, { bubbles: true }));
                }
              });
            }}
          />
        )
        : (
          <input
            {...field}
            list={list}
            value={text}
            spellcheck={false}
            onFocus={() => setFirstUse((use) => use ?? "reach")}
            onClick={() => setFirstUse("open")}
            onInput={(event: FormEvent<HTMLInputElement>) => {
              setFirstUse("type");
              setText(event.currentTarget.value);
            }}
          />
        )}
    </div>
  );
}

const typedText = (id: string) => (document.getElementById(id) as HTMLInputElement | null)?.value;
