import { Refused } from "./visit.ts";

/** Tells in place of what was told: in what lies over the page, since all below it is inert. */
export function putFlash(flash: Element | null): void {
  const place = document.querySelector("#over[open]") ?? document.body;
  place.querySelectorAll(":scope > .flash").forEach((told) => told.remove());
  if (flash) place.append(flash);
}

/** Tells why something was not done: what the server says, or as `silent` does that it did not. */
export function tellFailure(silent: Element, error: unknown): void {
  const flash = silent.cloneNode(true) as HTMLElement;
  if (error instanceof Refused) flash.querySelector("p")!.textContent = error.message;
  putFlash(flash);
}
