import type { ComponentChildren } from "preact";
import type { Ui } from "../../lib/i18n/ui.ts";
import type { SentenceOrText } from "../../lib/base/sentence_or_text.ts";
import type { OpenLinks } from "../../lib/people/sign_in_links/schema.ts";
import { Alert } from "../ui/Alert.tsx";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { AccessPart } from "./AccessPart.tsx";

/** A link that was just created. Only this answer has its address. */
export interface NewLink {
  /** Name and e-mail address of the account. */
  name: string;
  email: string;
  address: string;
  expires: string;
  /** Result of the mail with the link; null if none was wanted. */
  mailed: { ok: true } | { ok: false; reason: SentenceOrText } | null;
}

interface LinkMadeProps {
  ui: Ui;
  title: string;
  /** Says what the link does, and until when. */
  about: ComponentChildren;
  link: NewLink;
  /** Address of the page to go on to. */
  done: string;
}

/** Shows a new link, to be copied and sent. */
export const LinkMade = ({ ui, title, about, link, done }: LinkMadeProps) => (
  <div class="grid grid-cols-1 gap-4">
    <Alert kind="success" title={title}>
      <p class="m-0">{about}</p>
    </Alert>
    <div class="flex items-center justify-between gap-2">
      <code class="break-all select-all">{link.address}</code>
      <CopyButton
        what={{ text: link.address }}
        label={ui.t("first_link.copy")}
        copied={ui.t("first_link.copied")}
      />
    </div>
    {link.mailed?.ok && <p class="m-0">{ui.t("first_link.mailed", { email: link.email })}</p>}
    {link.mailed?.ok === false && (
      <Alert kind="warning" title={ui.t("first_link.not_mailed")}>
        {ui.tell(link.mailed.reason)}
      </Alert>
    )}
    <div class="form-bar">
      <ButtonLink kind="primary" href={done}>{ui.t("first_link.done")}</ButtonLink>
    </div>
  </div>
);

/** Says what the first link of an account does. */
export const AboutFirstLink = (
  { ui, link: { name, expires } }: Pick<LinkMadeProps, "ui" | "link">,
) => (
  <>
    {ui.t("first_link.send", { name, when: ui.minute(expires) })} {ui.t("first_link.withdraw_hint")}
  </>
);

interface SignInLinkProps extends OpenLinks {
  ui: Ui;
  /** Address that creates and withdraws links. */
  action: string;
  /** The field that mails a new link. */
  children: ComponentChildren;
}

/** The unused links of an account, with buttons that replace and withdraw them. */
export function SignInLink({ ui, action, can_make, links, children }: SignInLinkProps) {
  if (!can_make && links.length === 0) return null;
  const withdraw = links.length > 0 && (
    <form method="post" action={action}>
      <Button kind="danger" name="withdraw" value="true">{ui.t("first_link.withdraw")}</Button>
    </form>
  );
  return (
    <AccessPart id="sign-in-link" title={ui.t("first_link.title")} actions={withdraw}>
      {links.map(({ expires }, n) => (
        <p key={n} class="m-0">{ui.t("first_link.open", { when: ui.minute(expires) })}</p>
      ))}
      {links.length === 0 && <p class="m-0">{ui.t("first_link.none")}</p>}
      {can_make && (
        <form method="post" action={action} class="grid justify-items-start gap-3">
          {children}
          <Button>{ui.t(links.length > 0 ? "first_link.replace" : "first_link.make")}</Button>
        </form>
      )}
    </AccessPart>
  );
}
