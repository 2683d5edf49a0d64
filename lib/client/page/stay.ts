import { followPressed, notePressed } from "./again.ts";
import { assertServerAnswers, isServerDoubtful } from "./away.ts";
import { followChoices, isSentAtOnce, undoOf } from "./choices.ts";
import { focusWrong, followButton, keepFocusNear } from "./focus.ts";
import { isTypedSince } from "./merge.ts";
import { isInOverlay, showInOverlay } from "./overlay.ts";
import { closeOverlay, openOverlay } from "./overlay_links.ts";
import {
  load,
  type PageAnswer,
  requestPage,
  show,
  shownUrl,
  whileSending,
  withoutHash,
} from "./visit.ts";

/** Shows an error to the user. */
type Fail = (error: unknown) => void;

/**
 * Follows the attributes of a page's HTML: "What a page can ask of its script" in
 * docs/development.md.
 */
export function followAttributes(fail: Fail, signal: AbortSignal): void {
  const listen = <K extends keyof DocumentEventMap>(
    type: K,
    listener: (event: DocumentEventMap[K]) => Promise<void> | void,
  ) =>
    document.addEventListener(type, (event) => {
      Promise.resolve(listener(event)).catch(fail);
    }, { signal });
  listen("click", onClick);
  listen("submit", onSubmit);
  followChoices(signal);
  followFields((form, button) => void look(form, button).catch(fail), signal);
}

async function onClick(event: MouseEvent): Promise<void> {
  const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey &&
    !event.altKey;
  if (!link || event.defaultPrevented || !isPlain) return;
  if (link.hasAttribute("target") || link.hasAttribute("download")) return;
  const { dataset } = link;
  const asked = link.getAttribute("href")!;
  const { href } = new URL(asked, document.baseURI); // `href` of a link in an SVG is an object.
  if (/^#./.test(asked) && isInOverlay(link)) {
    // A position in the overlay gets no history entry.
    event.preventDefault();
    document.getElementById(decodeURIComponent(asked.slice(1)))?.focus();
  } else if ("cancel" in dataset && isInOverlay(link)) {
    event.preventDefault();
    await closeOverlay();
  } else if ("over" in dataset) {
    event.preventDefault();
    await openOverlay(href, link);
  } else if ("stay" in dataset) {
    event.preventDefault();
    await stay(link, href);
  } else if (isServerDoubtful() && leavesPage(href)) {
    event.preventDefault();
    await assertServerAnswers();
    location.assign(href);
  }
}

/** Whether a link leads to a page of the server, and not only to a part of this page. */
const leavesPage = (href: string): boolean =>
  href.startsWith(`${location.origin}/`) &&
  (!href.includes("#") || withoutHash(href) !== withoutHash(location.href));

/** Merges the page of a link into this one, or into the overlay if the link is there. */
async function stay(link: HTMLAnchorElement, href: string): Promise<void> {
  const answer = await load(href);
  if (!answer) return;
  if (isInOverlay(link)) {
    history.replaceState(history.state, "", answer.url);
    await showInOverlay(answer, true);
  } else {
    history[link.dataset.stay === "push" ? "pushState" : "replaceState"](null, "", answer.url);
    show(answer, "all");
  }
  const { hash } = new URL(href);
  if (hash) document.getElementById(decodeURIComponent(hash.slice(1)))?.focus();
  // It is in view already, but the content is read from its beginning.
  if (hash === "#main") scrollTo({ top: 0, behavior: "instant" });
}

async function onSubmit(event: SubmitEvent): Promise<void> {
  const form = event.target as HTMLFormElement;
  const { submitter } = event;
  const stays = "stay" in form.dataset || (submitter && "stay" in submitter.dataset);
  if (event.defaultPrevented || form.getAttribute("method") === "dialog") return;
  if (!(stays || isInOverlay(form))) return await leave(event, form, submitter);
  event.preventDefault();
  if (!isPost(form)) return await look(form, submitter);
  // A second request would store it twice.
  if (isOnItsWay(form)) return notePressed(form, submitter);
  const sendAgain = followPressed(form, submitter);
  let answer: PageAnswer | null;
  for (const element of [form, submitter]) element?.setAttribute("aria-busy", "true");
  try {
    answer = await whileSending(() => store(form, submitter));
  } finally {
    for (const element of [form, submitter]) element?.removeAttribute("aria-busy");
  }
  if (answer) sendAgain(answer);
}

/** Lets the browser send a form, at once or when the server that may be away has answered. */
async function leave(
  event: SubmitEvent,
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): Promise<void> {
  if (!isServerDoubtful() || isLeaving) return;
  event.preventDefault();
  await assertServerAnswers();
  isLeaving = true;
  try {
    form.requestSubmit(submitter);
  } finally {
    isLeaving = false;
  }
}
let isLeaving = false;

const isOnItsWay = (form: HTMLFormElement) => form.getAttribute("aria-busy") === "true";

/**
 * Shows the answer to a form or preview button that stores nothing. Does nothing while the form is
 * being stored.
 */
async function look(form: HTMLFormElement, button: HTMLElement | null): Promise<void> {
  if (isOnItsWay(form)) return;
  const { url, init } = requestOf(form, button);
  const answer = await load(url, init);
  if (!answer) return;
  if (!isPost(form)) history.replaceState(history.state, "", answer.url);
  if (isInOverlay(form)) return await showInOverlay(answer, true);
  show(answer, isPost(form) ? "secrets" : "all");
}

/**
 * Sends a form that stores something, or a button that redraws it, and shows the answer. Returns
 * null if the browser left the page.
 */
async function store(
  form: HTMLFormElement,
  button: HTMLElement | null,
): Promise<PageAnswer | null> {
  const { url, init } = requestOf(form, button);
  const wasInOverlay = isInOverlay(form); // Events may remove it before the answer comes.
  const offerUndo = undoOf(form);
  const keepFocus = keepFocusNear(form);
  const answer = await requestPage(url, init).finally(() => isSentAtOnce(form) && form.reset());
  if (!answer) return null;
  const follow = followButton(form, button);
  if (wasInOverlay) await showInOverlay(answer);
  else if (answer.isRedirected) {
    showStored(answer, form);
    keepFocus();
    offerUndo();
  } else {
    show(answer, "secrets");
    focusWrong(document.body);
  }
  if (!answer.isRedirected) follow();
  return answer;
}

/**
 * Handles a form on the page that was stored. Resets it, but keeps the input of other forms, and
 * input that the request did not contain.
 */
function showStored(answer: PageAnswer, form: HTMLFormElement): void {
  const isElsewhere = withoutHash(answer.url) !== shownUrl();
  history.replaceState(history.state, "", answer.url);
  if (isElsewhere || !isTypedSince(form, answer.askedAt)) form.reset();
  const menu = form.closest("details");
  if (menu) menu.open = false;
  show(answer, isElsewhere ? "nothing" : "all");
  if (!isElsewhere) return menu?.querySelector("summary")?.focus();
  scrollTo({ top: 0, behavior: "instant" });
  document.getElementById("main")?.focus({ preventScroll: true });
}

/**
 * Returns the request that the browser would make for a form with `submitter` pressed. The fields
 * of a GET form go into its address, without the blank ones.
 */
function requestOf(
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

const isPost = (form: HTMLFormElement): boolean =>
  form.getAttribute("method")?.toLowerCase() === "post";

/** Delay after the last character typed into a field of a form that is sent on change. */
const TYPING_MS = 200;

const SENT_ON_CHANGE = "form[data-stay]:not([method=post])";

/** Shows the answer to a form, or to a button in it. */
type Look = (form: HTMLFormElement, button: HTMLElement | null) => void;

/** Calls `look` whenever a field changes that has a form sent on change, or a button for it. */
function followFields(look: Look, signal: AbortSignal): void {
  let typing: ReturnType<typeof setTimeout> | undefined;
  const stopTyping = () => clearTimeout(typing);
  document.addEventListener("change", ({ target }) => {
    const sent = sentOnChange(target);
    if (!sent) return;
    stopTyping();
    look(sent.form, sent.button);
  }, { signal });
  document.addEventListener("input", ({ target }) => {
    const sent = sentOnChange(target);
    if (!sent || !isTextField(target)) return;
    stopTyping();
    typing = setTimeout(() => look(sent.form, sent.button), TYPING_MS);
  }, { signal });
  // A submitted form replaces a pending preview.
  document.addEventListener("submit", stopTyping, { signal });
  // Handles text that was typed before the script was loaded.
  for (const form of document.querySelectorAll<HTMLFormElement>(SENT_ON_CHANGE)) {
    if ([...form.elements].some(isTyped)) look(form, null);
  }
}

/** Returns the form that is sent when a field changes, and the button that the field presses. */
function sentOnChange(target: EventTarget | null) {
  const { form, name } = target as HTMLInputElement;
  const button = name && form?.querySelector<HTMLElement>(`[data-on~="${CSS.escape(name)}"]`);
  if (form && button) return { form, button };
  return form?.matches(SENT_ON_CHANGE) ? { form, button: null } : null;
}

const isTextField = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && /^(text|search|number)$/.test(target.type);

const isTyped = (field: Element) => isTextField(field) && field.value !== field.defaultValue;
