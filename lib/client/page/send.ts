/**
 * Returns the request that the browser would make for a form with `submitter` pressed. The fields
 * of a GET form go into its address, without the blank ones.
 */
export function requestOf(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): { url: string; init: RequestInit } {
  const data = new FormData(form, submitter);
  // Not `form.action`, because a field may have that name.
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
  const url = new URL(action ?? location.href, location.href);
  const texts = () =>
    new URLSearchParams(
      [...data].filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  if (!isPost(form)) {
    const query = [...texts()].filter(([, value]) => value !== "");
    url.search = String(new URLSearchParams(query));
    return { url: url.href, init: {} };
  }
  const isUpload = form.enctype === "multipart/form-data";
  return { url: url.href, init: { method: "POST", body: isUpload ? data : texts() } };
}

export const isPost = (form: HTMLFormElement): boolean =>
  form.getAttribute("method")?.toLowerCase() === "post";
