import type { Deps } from "../../access/deps.ts";
import { reveal } from "../../base/secret.ts";
import { digest } from "../../base/version.ts";
import { browserOf } from "../throttling/known_devices.ts";
import { putForm, takeForm } from "./repository.ts";
import { type FormDraft, formDraft } from "./schema.ts";

type KeepDeps = Pick<Deps, "kv" | "secrets" | "clock">;

/** Limit of a sealed form. It leaves room in one commit for the removal of other forms. */
const BYTES_MAX = 540_000;
/** How long after it was sent a form is shown again. */
const SHOWN_MS = 30 * 60_000;
const PAGE_LENGTH = 32;

/**
 * Saves what someone whose session has ended typed into the form of a page. Of a form that is too
 * long, it saves only that there was one. Returns false if `read` finds nothing, and for a browser
 * that has never signed in, for which nothing is saved or even read. `device` is the browser's
 * cookie.
 */
export async function saveDraft(
  { kv, secrets, clock }: KeepDeps,
  device: string | undefined,
  page: string,
  read: () => Promise<FormDraft | null>,
): Promise<boolean> {
  const keeper = await browserOf(secrets, device);
  const form = keeper && await read();
  if (!form) return false;
  const seal = (form: FormDraft) =>
    secrets.seal(JSON.stringify({ ...form, page, sent: clock.now().getTime() }));
  const whole = await seal(form);
  const sealed = whole.length <= BYTES_MAX
    ? whole
    : await seal({ ...form, values: {}, tooLong: true });
  await putForm(kv, keeper, digest(page, PAGE_LENGTH), sealed);
  return true;
}

/**
 * Removes and returns the form of a page that was saved for this account and this browser; null for
 * everyone else, and if it is too old.
 */
export async function takeDraft(
  { kv, secrets, clock }: KeepDeps,
  userId: number,
  device: string | undefined,
  page: string,
): Promise<FormDraft | null> {
  const keeper = await browserOf(secrets, device);
  if (keeper?.userId !== userId) return null;
  const sealed = await takeForm(kv, keeper, digest(page, PAGE_LENGTH));
  if (!sealed) return null;
  const { sent, ...form } = JSON.parse(reveal(await secrets.open(sealed), "resume"));
  const age = clock.now().getTime() - sent;
  return form.page === page && age <= SHOWN_MS ? formDraft.parse(form) : null;
}
