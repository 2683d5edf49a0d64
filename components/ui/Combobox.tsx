import {
  type FormEvent,
  type InputHTMLAttributes,
  type KeyboardEvent,
  useLayoutEffect,
} from "react";
import { useCombobox, type UseComboboxState, type UseComboboxStateChangeOptions } from "downshift";
import { type Choosable, countId } from "../../lib/client/choice/find.ts";

const CHANGES = useCombobox.stateChangeTypes;

export interface ComboboxProps {
  /** Attributes of the field. Without a name, its text is no input of the form. */
  field: Omit<InputHTMLAttributes<HTMLInputElement>, "defaultValue"> & { id: string };
  /** Label of the list. */
  label: string;
  /** The text in the field. */
  text: string;
  options: readonly Choosable[];
  /** Says how many options there are. */
  count?: string;
  /** Value of the chosen option. */
  chosen?: string;
  /** Position of the option that is marked at first; -1 for none. */
  best?: number;
  /** Whether the list is open at first. */
  opens?: boolean;
  onType(text: string): void;
  onOpen(): void;
  onClose(): void;
  onChoose(option: Choosable): void;
}

/**
 * A field that people type in, with a list of options below it. It loads a library of React, so
 * only browsers may import it, once they have shown the page.
 */
export function Combobox(
  { field, label, text, options, count, chosen, best = -1, opens, onType, ...on }: ComboboxProps,
) {
  const { id, name } = field;
  const isText = name !== undefined;
  const { isOpen, highlightedIndex, selectedItem, setHighlightedIndex, ...its } = useCombobox<
    Choosable
  >({
    items: options as Choosable[],
    inputId: id,
    menuId: `${id}-list`,
    getItemId: (n) => `${id}-option-${n}`,
    itemToString: (option) => option?.label ?? "",
    inputValue: text,
    initialIsOpen: opens,
    stateReducer: nextState,
  });
  // The library reports changes only after the next frame, and someone may type faster.
  useLayoutEffect(() => isOpen ? on.onOpen() : on.onClose(), [isOpen]);
  useLayoutEffect(() => setHighlightedIndex(best), [options]);
  useLayoutEffect(() => {
    if (selectedItem) on.onChoose(selectedItem);
  }, [selectedItem]);
  // A form may be sent on each change of its input.
  const stop = (event: Event) => isText || event.stopPropagation();
  const isShown = isOpen && (options.length > 0 || count !== undefined);
  return (
    <>
      <input
        {...its.getInputProps({
          ...field,
          class: "choice-text",
          "aria-labelledby": undefined,
          "aria-expanded": isShown,
          onInput(event: FormEvent<HTMLInputElement>) {
            stop(event);
            onType(event.currentTarget.value);
          },
          onKeyDown: (event: KeyboardEvent<HTMLInputElement>) =>
            claimKey(event, isOpen, isText && highlightedIndex < 0),
        })}
        onChangeCapture={stop}
      />
      <div
        class="choice-popup"
        hidden={!isShown}
        onMouseDown={(event) => event.preventDefault()} // The field keeps the focus.
      >
        <ul {...its.getMenuProps({ "aria-label": label, class: "choice-list" })}>
          {options.map((item, index) => (
            <li
              key={index}
              {...its.getItemProps({
                item,
                index,
                "aria-selected": item.value === chosen,
              })}
              data-active={index === highlightedIndex || undefined}
            >
              {item.label}
              {item.group && <span class="text-muted text-sm">{item.group}</span>}
            </li>
          ))}
        </ul>
        {count !== undefined && <output id={countId(id)} class="choice-count">{count}</output>}
      </div>
    </>
  );
}

/** Opens, closes and marks as the selects of browsers do. */
export function nextState<Option>(
  state: UseComboboxState<Option>,
  { type, changes }: UseComboboxStateChangeOptions<Option>,
): Partial<UseComboboxState<Option>> {
  switch (type) {
    case CHANGES.InputClick:
      return state.isOpen ? state : changes;
    case CHANGES.InputChange:
      return changes.inputValue === state.inputValue ? state : changes;
    case CHANGES.InputBlur:
      // Only a click and Enter choose the marked option.
      return { ...state, isOpen: false, highlightedIndex: -1 };
    case CHANGES.ItemMouseMove:
    case CHANGES.MenuMouseLeave:
      return state;
    default:
      return changes;
  }
}

/** Keeps an event from what the library does with it. */
export const keepFromList = (event: Event): void =>
  void Object.assign(event, { preventDownshiftDefault: true });

/**
 * Leaves Home and End to the text, Escape to the dialog around a closed list, and Enter to the form
 * if it `sends`.
 */
function claimKey(event: KeyboardEvent<HTMLInputElement>, isOpen: boolean, sends: boolean): void {
  const others = ["Home", "End", ...isOpen ? [] : ["Escape"], ...sends ? ["Enter"] : []];
  if (others.includes(event.key)) keepFromList(event);
  else if (event.key === "Escape") event.stopPropagation();
}
