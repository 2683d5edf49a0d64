import { focusWrong } from "./focus.ts";
import { answerOver, isOver } from "./over.ts";
import { closeOver, openOver } from "./over_ways.ts";
import { send } from "./send.ts";
import { type Answer, load, show, shownUrl, withoutHash } from "./visit.ts";

/** After the last letter that was typed into a field of a form that is sent on change. */
const TYPING_MS = 200;

/** Tells the reader that the server did not answer. */
type Fail = () => void;

/** Follows what a page's own HTML asks for: see CONTRIBUTING, "What pages can ask of the script". */
export function followMarks(fail: Fail, signal: AbortSignal): void {
  const listen = <K extends keyof DocumentEventMap>(
    type: K,
    listener: (event: DocumentEventMap[K]) => Promise<void> | void,
  ) =>
    document.addEventListener(type, (event) => {
      Promise.resolve(listener(event)).catch(fail);
    }, { signal });
  let typing: ReturnType<typeof setTimeout> | undefined;

  listen("click", onClick);
  listen("submit", (event) => {
    clearTimeout(typing); // What is sent says more than what would only be looked at.
    return onSubmit(event);
  });
  listen("change", (event) => {
    const sent = sentOnChange(event.target);
    if (!sent) return;
    clearTimeout(typing);
    return stay(sent.form, sent.button);
  });
  listen("input", (event) => {
    const sent = sentOnChange(event.target);
    if (!sent || !isTextField(event.target)) return;
    clearTimeout(typing);
    typing = setTimeout(() => stay(sent.form, sent.button).catch(fail), TYPING_MS);
  });
}

const isTextField = (target: EventTarget | null) =>
  target instanceof HTMLInputElement && /^(text|search|number)$/.test(target.type);

/** The form that is sent when a field changes, and the button that the field presses in it. */
function sentOnChange(target: EventTarget | null) {
  const { form, name } = target as HTMLInputElement;
  const button = name && form?.querySelector<HTMLElement>(`[data-on~="${CSS.escape(name)}"]`);
  if (form && button) return { form, button };
  return form?.matches("form[data-stay]:not([method=post])") ? { form, button: null } : null;
}

async function onClick(event: MouseEvent): Promise<void> {
  const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey &&
    !event.altKey;
  if (!link || event.defaultPrevented || !isPlain || link.target || link.download) return;
  const { dataset, href } = link;
  if ("cancel" in dataset && isOver(link)) {
    event.preventDefault();
    await closeOver();
  } else if ("over" in dataset) {
    event.preventDefault();
    await openOver(href, link);
  } else if ("stay" in dataset) {
    event.preventDefault();
    const answer = await load(href);
    if (answer) showAt(answer, dataset.stay === "push");
  }
}

function showAt(answer: Answer, isPushed: boolean): void {
  if (isPushed) history.pushState(null, "", answer.url);
  else history.replaceState(null, "", answer.url);
  show(answer, "all");
}

async function onSubmit(event: SubmitEvent): Promise<void> {
  const form = event.target as HTMLFormElement;
  const { submitter } = event;
  const stays = "stay" in form.dataset || (submitter && "stay" in submitter.dataset);
  if (event.defaultPrevented || !(stays || isOver(form))) return;
  event.preventDefault();
  // Sent twice would be done twice.
  if (form.getAttribute("aria-busy") === "true") return;
  form.setAttribute("aria-busy", "true");
  try {
    await stay(form, submitter);
  } finally {
    form.removeAttribute("aria-busy");
  }
}

/** Sends a form, and shows what comes where the form is. */
async function stay(form: HTMLFormElement, submitter: HTMLElement | null = null): Promise<void> {
  const isOne = form.isConnected && isOver(form);
  const answer = await send(form, submitter);
  if (!answer) return;
  const isLookedAt = submitter !== null && "on" in submitter.dataset;
  if (isOne) return await answerOver(answer, isLookedAt);
  const isPost = form.getAttribute("method")?.toLowerCase() === "post";
  if (!isPost || answer.isRedirected) history.replaceState(history.state, "", answer.url);
  // A form that went through is done with, but what else was typed on the page is not.
  if (isPost && answer.isRedirected) form.reset();
  const isElsewhere = isPost && answer.isRedirected && withoutHash(answer.url) !== shownUrl();
  show(answer, isPost && !answer.isRedirected ? "secrets" : "all");
  if (isElsewhere) goToTop();
  else if (isPost) focusWrong(document.body);
}

/** As when a page is gone to. */
function goToTop(): void {
  scrollTo({ top: 0, behavior: "instant" });
  document.getElementById("main")?.focus({ preventScroll: true });
}
