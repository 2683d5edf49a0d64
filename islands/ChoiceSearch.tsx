import type { JSX } from "preact";
import { findField } from "../lib/base/find_choice.ts";
import { countId } from "../lib/client/choice/find.ts";
import { type ChoiceState, useChoice } from "../lib/client/choice/use_choice.ts";
import { islandKey } from "../lib/client/page/island_key.ts";

interface ChoiceSearchProps {
  id: string;
  name: string;
  /** The options that are shown before anything else is searched. */
  options: FoundOption[];
  /** Value and label of the chosen option; empty without one. */
  chosen: { value: string; label: string };
  /** Label of the option that chooses nothing; without it there is none. */
  blank?: string;
  /** Words that the options were searched for. */
  words: string;
  /** Says how many options are shown. */
  count: string;
  /** Label of the search, and the longest text that it takes. */
  search: { label: string; placeholder: string; lengthMax: number };
  autofocus?: boolean;
  describedBy?: string;
  invalid?: boolean;
  required?: boolean;
}

interface FoundOption {
  value: string;
  label: string;
  group?: string;
  /** Whether it is only there because it is chosen. */
  isKept?: boolean;
}

/**
 * One of very many: a search above a select. With its script, both become a field that proposes
 * options while someone types. The select stays in the form and holds the choice.
 */
export default function ChoiceSearch(props: ChoiceSearchProps) {
  const { id, name, blank, search, words, invalid } = props;
  const choice = useChoice(props);
  const { root, select, isAwake, isOpen, chosen } = choice;
  const aria = { "aria-describedby": props.describedBy, "aria-invalid": invalid || undefined };
  return (
    <div
      ref={root}
      id={`${id}-search`}
      class="choice-search"
      data-island={islandKey([name, chosen.value, invalid])}
    >
      {isAwake ? <Combobox {...props} choice={choice} aria={aria} /> : (
        <input
          type="search"
          name={findField(name)}
          aria-label={search.label}
          placeholder={search.placeholder}
          value={words}
          maxLength={search.lengthMax}
          autocomplete="off"
          spellcheck={false}
        />
      )}
      <select
        ref={select}
        id={isAwake ? undefined : id}
        name={name}
        hidden={isAwake}
        autofocus={isAwake ? undefined : props.autofocus}
        {...aria}
      >
        {blank !== undefined && <option value="">{blank}</option>}
        {groupsOf(props.options).map(([group, options], n) =>
          group === ""
            ? <Options key={n} options={options} chosen={props.chosen.value} />
            : (
              <optgroup key={n} label={group}>
                <Options options={options} chosen={props.chosen.value} />
              </optgroup>
            )
        )}
      </select>
      <div
        class={isAwake ? "choice-popup" : undefined}
        hidden={isAwake && !isOpen}
        onMouseDown={(event: MouseEvent) => event.preventDefault()} // The field keeps the focus.
      >
        {isAwake && <List {...{ id, choice }} label={search.label} />}
        <output id={countId(id)} class="choice-count">{choice.count}</output>
      </div>
    </div>
  );
}

const Options = ({ options, chosen }: { options: FoundOption[]; chosen: string }) => (
  <>
    {options.map(({ value, label, isKept }, n) => (
      <option key={n} value={value} selected={value === chosen} data-kept={isKept}>{label}</option>
    ))}
  </>
);

/** Returns the options by their groups, in order. */
const groupsOf = (options: FoundOption[]) => [
  ...Map.groupBy(options, ({ group = "" }) => group),
];

interface ComboboxProps extends ChoiceSearchProps {
  choice: ChoiceState;
  aria: JSX.AriaAttributes;
}

/** The field that people type in. */
function Combobox({ id, blank, search, required, autofocus, choice, aria }: ComboboxProps) {
  const { isOpen, active, typed, chosen, open, close } = choice;
  return (
    <input
      id={id}
      type="text"
      role="combobox"
      class="choice-text"
      aria-autocomplete="list"
      aria-expanded={isOpen}
      aria-controls={`${id}-list`}
      aria-activedescendant={isOpen && active >= 0 ? optionId(id, active) : undefined}
      aria-required={required || undefined}
      {...aria}
      value={typed ?? chosen.label}
      placeholder={blank ?? search.placeholder}
      autofocus={autofocus}
      maxLength={search.lengthMax}
      autocomplete="off"
      spellcheck={false}
      onInput={(event: JSX.TargetedInputEvent<HTMLInputElement>) => {
        // Words are no input of the form, which may be sent on each change.
        event.stopPropagation();
        choice.type(event.currentTarget.value);
        open();
      }}
      onChange={(event: Event) => event.stopPropagation()}
      onClick={open}
      onFocus={(event: JSX.TargetedFocusEvent<HTMLInputElement>) => event.currentTarget.select()}
      onBlur={close}
      onKeyDown={(event: KeyboardEvent) => {
        if (!press(choice, event.key)) return;
        event.preventDefault();
        event.stopPropagation(); // Escape would close the dialog, too.
      }}
    />
  );
}

/** Handles a key. Returns false for one that means nothing here. */
function press(choice: ChoiceState, key: string): boolean {
  const { isOpen, typed, options, active } = choice;
  if (key === "ArrowDown" || key === "ArrowUp") choice.move(key === "ArrowUp" ? -1 : 1);
  else if (key === "Enter" && options[active]) choice.choose(options[active]);
  else if (key === "Enter" && isOpen) choice.close();
  else if (key === "Escape" && (isOpen || typed !== null)) choice.close();
  else return false;
  return true;
}

const optionId = (id: string, n: number) => `${id}-option-${n}`;

/** The options that people choose from. */
const List = ({ id, label, choice }: { id: string; label: string; choice: ChoiceState }) => (
  <ul id={`${id}-list`} role="listbox" class="choice-list" aria-label={label}>
    {choice.options.map((option, n) => (
      <li
        key={n}
        id={optionId(id, n)}
        role="option"
        aria-selected={option.value === choice.chosen.value}
        data-active={n === choice.active || undefined}
        ref={(element) =>
          void (n === choice.active && element?.scrollIntoView({ block: "nearest" }))}
        onClick={() => choice.choose(option)}
      >
        {option.label}
        {option.group !== "" && <span class="text-muted text-sm">{option.group}</span>}
      </li>
    ))}
  </ul>
);
