import { type Answer, load } from "./visit.ts";

/** Sends a form as the browser would with `submitter` pressed, and gives the page that comes. */
export async function send(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): Promise<Answer | null> {
  const { url, init } = requestOf(form, submitter);
  return await load(url, init);
}

/** The request that a form makes; a GET form's fields are in its address, without the blank ones. */
function requestOf(form: HTMLFormElement, submitter: HTMLElement | null) {
  const data = new FormData(form, submitter);
  // Not `form.action`: a field may have that name.
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
  const url = new URL(action ?? location.href, location.href);
  const texts = () =>
    new URLSearchParams(
      [...data].filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  if (form.getAttribute("method")?.toLowerCase() !== "post") {
    const query = [...texts()].filter(([, value]) => value !== "");
    url.search = String(new URLSearchParams(query));
    return { url: url.href, init: {} };
  }
  const isUpload = form.enctype === "multipart/form-data";
  return { url: url.href, init: { method: "POST", body: isUpload ? data : texts() } };
}
