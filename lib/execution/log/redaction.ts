import { type Automaton, automatonOf, firstChild, mayStartSecret, stepFrom } from "./automaton.ts";
import { secretForms } from "./secret_forms.ts";

export const MASK = "***";

interface Redactor {
  /**
   * Masks in `text` and returns the part that is certain. The rest may be the beginning of a
   * secret.
   */
  write(text: string): string;
  /** Returns the rest. */
  end(): string;
}

/** The secrets to look for, prepared once for all output of one task. Null if there are none. */
export type SecretIndex = Automaton | null;

export function indexSecrets(secrets: Iterable<string>): SecretIndex {
  const forms = secretForms(secrets);
  return forms.size > 0 ? automatonOf(forms) : null;
}

/** A secret's position in the whole text that was written. */
interface Span {
  from: number;
  to: number;
}

/**
 * Masks secrets in a text that comes in pieces, wherever the pieces are cut. The time depends only
 * on the length of the text. No more of it is held than the longest form of a secret.
 */
export function redactor(index: SecretIndex): Redactor {
  const held = textQueue();
  /** Secrets found and not yet passed on completely, in order and without overlaps. */
  const spans: Span[] = [];
  let state = 0;
  /** Units that were written, and units that were passed on. */
  let [written, passed] = [0, 0];

  function find(automaton: Automaton, text: string) {
    for (let at = 0; at < text.length; at++) {
      if (state === 0) at = mayStartSecret(automaton, text, at);
      state = stepFrom(automaton, state, text.charCodeAt(at));
      const matched = automaton.matches[state];
      if (matched > 0) cover(written + at + 1 - matched, written + at + 1);
      // A state without children cannot be the beginning of a longer secret.
      while (firstChild(automaton, state) === 0) state = automaton.fallbacks[state];
    }
    written += text.length;
  }

  /** Secrets that overlap share one mask, so that the rest of one does not reveal the other. */
  function cover(from: number, to: number) {
    let first = from;
    for (let span = spans.at(-1); span && span.to > from; span = spans.at(-1)) {
      first = Math.min(first, span.from);
      spans.pop();
    }
    spans.push({ from: first, to });
  }

  function passOn(until: number): string {
    let out = "";
    for (let span = spans[0]; span && span.from < until; span = spans[0]) {
      if (span.from >= passed) out += held.take(span.from - passed) + MASK;
      const covered = Math.min(span.to, until);
      held.take(covered - Math.max(span.from, passed));
      passed = covered;
      if (span.to > until) return out;
      spans.shift();
    }
    out += held.take(until - passed);
    passed = until;
    return out;
  }

  return {
    write(text) {
      if (index === null) return text;
      held.push(text);
      find(index, text);
      return passOn(written - index.depths[state]);
    },
    end: () => passOn(written),
  };
}

/** Queue of text. Taking text from its front costs no more than the length of that text. */
function textQueue() {
  const pieces: string[] = [];
  let offset = 0;

  function take(length: number): string {
    let text = "";
    let missing = length;
    while (missing > 0) {
      const part = pieces[0].slice(offset, offset + missing);
      text += part;
      missing -= part.length;
      offset += part.length;
      if (offset < pieces[0].length) break;
      pieces.shift();
      offset = 0;
    }
    return text;
  }

  return { push: (text: string) => void (text && pieces.push(text)), take };
}
