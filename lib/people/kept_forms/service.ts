import type { Deps } from "../../access/deps.ts";
import { reveal } from "../../base/secret.ts";
import { digest } from "../../base/version.ts";
import { browserOf } from "../sessions/known_devices.ts";
import { putForm, takeForm } from "./repository.ts";
import { type KeptForm, keptForm } from "./schema.ts";

type KeepDeps = Pick<Deps, "kv" | "secrets" | "clock">;

/** Sealed; what KV takes in one commit leaves room for the other forms that go. */
const BYTES_MAX = 540_000;
/** How long after it was sent a form is shown again. */
const SHOWN_MS = 30 * 60_000;
const PAGE_LENGTH = 32;

/**
 * Keeps what was typed into the form of a page by somebody whose session has ended; of what is too
 * long, that there was something. False for a browser that has never signed in: nobody unknown has
 * anything kept, or as much as read; and where `read` finds nothing. `device` is its cookie.
 */
export async function keepForm(
  { kv, secrets, clock }: KeepDeps,
  device: string | undefined,
  page: string,
  read: () => Promise<KeptForm | null>,
): Promise<boolean> {
  const keeper = await browserOf(secrets, device);
  const form = keeper && await read();
  if (!form) return false;
  const seal = (form: KeptForm) =>
    secrets.seal(JSON.stringify({ ...form, page, sent: clock.now().getTime() }));
  const whole = await seal(form);
  const sealed = whole.length <= BYTES_MAX
    ? whole
    : await seal({ ...form, values: {}, tooLong: true });
  await putForm(kv, keeper, digest(page, PAGE_LENGTH), sealed);
  return true;
}

/**
 * Takes the form of a page that was kept for this account and this browser; null for everybody else,
 * and for who comes late.
 */
export async function takeKeptForm(
  { kv, secrets, clock }: KeepDeps,
  userId: number,
  device: string | undefined,
  page: string,
): Promise<KeptForm | null> {
  const keeper = await browserOf(secrets, device);
  if (keeper?.userId !== userId) return null;
  const sealed = await takeForm(kv, keeper, digest(page, PAGE_LENGTH));
  if (!sealed) return null;
  const { sent, ...form } = JSON.parse(reveal(await secrets.open(sealed)));
  const age = clock.now().getTime() - sent;
  return form.page === page && age <= SHOWN_MS ? keptForm.parse(form) : null;
}
