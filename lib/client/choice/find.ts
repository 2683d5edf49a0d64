import { FIND, findField } from "../../base/lists/find_choice.ts";

/** An option that a person can choose. */
export interface Choosable {
  value: string;
  label: string;
  /** Label of the group that it is in; empty without groups. */
  group: string;
}

/**
 * Options of a select, without those that are only there because they are chosen, and without the
 * blank one of a required field.
 */
export const choosable = (select: HTMLSelectElement, isRequired = false): Choosable[] =>
  [...select.options].filter(({ dataset, value }) =>
    !("kept" in dataset) && !(isRequired && value === "")
  ).map((option) => ({
    value: option.value,
    label: option.text,
    group: option.parentElement instanceof HTMLOptGroupElement ? option.parentElement.label : "",
  }));

/** Id of the element that says how many options were found. */
export const countId = (id: string): string => `${id}-count`;

/**
 * Asks the page of a form for the options of one of its fields that contain `words`, as its button
 * does without a script. Returns them with the text that says how many there are.
 */
export async function findChoices(
  form: HTMLFormElement,
  { id, name, required }: { id: string; name: string; required?: boolean },
  words: string,
  signal: AbortSignal,
): Promise<{ options: Choosable[]; count: string }> {
  const { url, init } = requestOf(form, name, words);
  const response = await fetch(url, { ...init, signal });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const select = page.getElementById(id);
  if (!(select instanceof HTMLSelectElement)) throw new Error(`No options: ${response.status}`);
  const count = page.getElementById(countId(id))?.textContent ?? "";
  return { options: choosable(select, required), count };
}

function requestOf(form: HTMLFormElement, name: string, words: string) {
  const typed = [...new FormData(form)].filter((entry): entry is [string, string] =>
    typeof entry[1] === "string"
  );
  const fields = new URLSearchParams(typed.filter(([name]) => name !== "secret_field"));
  // The page needs no secrets to search, and keeps none.
  for (const { name } of form.querySelectorAll<HTMLInputElement>(SECRETS)) fields.delete(name);
  fields.set(FIND, name);
  fields.set(findField(name), words);
  const url = new URL(form.getAttribute("action") ?? location.href, location.href);
  if (form.method === "post") return { url, init: { method: "POST", body: fields } };
  url.search = String(fields);
  return { url, init: {} };
}

const SECRETS = "input[type=password][name], [data-secret][name]";
