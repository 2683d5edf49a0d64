import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import { useEffect, useRef, useState } from "react";

interface PasskeyButtonProps {
  /** The action. The surrounding form has a field `credential` for the result. */
  kind: "sign_in" | "add";
  /** Address of the options for `navigator.credentials`. */
  options: string;
  label: string;
  primary?: boolean;
  texts: {
    unsupported: string;
    /** Message if the prompt was canceled or timed out. */
    stopped: string;
    /** Message if the device already has a passkey of this account. */
    known: string;
    /** Message with the placeholder "{{message}}". */
    failed: string;
  };
}

/** Asks for a passkey, and sends the surrounding form with the signed answer. Needs a script. */
export default function PasskeyButton(
  { kind, options, label, primary, texts }: PasskeyButtonProps,
) {
  const [support, setSupport] = useState<"unknown" | "yes" | "no">("unknown");
  const [failure, setFailure] = useState("");
  const isBusy = useRef(false);

  useEffect(() => setSupport(browserSupportsWebAuthn() && isSecureContext ? "yes" : "no"), []);

  async function ask(button: HTMLButtonElement) {
    const { form } = button;
    const field = form?.elements.namedItem("credential");
    if (isBusy.current || !(field instanceof HTMLInputElement)) return;
    isBusy.current = true;
    setFailure("");
    try {
      field.value = JSON.stringify(await credentialOf(kind, options, form!));
      form!.requestSubmit(button);
    } catch (error) {
      setFailure(sentenceOf(error as Error, texts));
    } finally {
      isBusy.current = false;
    }
  }

  if (support === "unknown") return null;
  if (support === "no") {
    return kind === "add" ? <p class="field-hint">{texts.unsupported}</p> : null;
  }
  return (
    <>
      <button
        type="submit"
        class={`button button-${primary ? "primary" : "secondary"}`}
        onClick={(event) => {
          event.preventDefault();
          ask(event.currentTarget).catch(reportError);
        }}
      >
        {label}
      </button>
      {failure && <p class="field-error" role="alert">{failure}</p>}
    </>
  );
}

async function credentialOf(
  kind: PasskeyButtonProps["kind"],
  options: string,
  form: HTMLFormElement,
) {
  const password = String(new FormData(form).get("current_password") ?? "");
  const body = kind === "add" ? new URLSearchParams({ current_password: password }) : undefined;
  const answer = await fetch(options, { method: "POST", body });
  if (!answer.ok) throw new Refusal(await answer.text());
  const optionsJSON = await answer.json();
  return await (kind === "add"
    ? startRegistration({ optionsJSON })
    : startAuthentication({ optionsJSON }));
}

/** An error message of the server, from before the prompt. */
class Refusal extends Error {}

function sentenceOf(error: Error, texts: PasskeyButtonProps["texts"]): string {
  if (error instanceof Refusal) return error.message;
  const isKnown = error instanceof WebAuthnError &&
    error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED";
  if (isKnown) return texts.known;
  if (error.name === "NotAllowedError" || error.name === "AbortError") return texts.stopped;
  return texts.failed.replace("{{message}}", error.message);
}
