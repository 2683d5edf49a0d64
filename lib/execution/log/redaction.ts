import { type Automaton, automatonOf, firstChild, mayBegin, stepFrom } from "./automaton.ts";
import { secretForms } from "./secret_forms.ts";

export const MASK = "***";

interface Redactor {
  /** Masks in `text` and gives what is sure by now; the rest may be the beginning of a secret. */
  write(text: string): string;
  /** Gives the rest. */
  end(): string;
}

/** What is looked for, prepared once for all that one task prints; null for nothing. */
export type SecretIndex = Automaton | null;

export function indexSecrets(secrets: Iterable<string>): SecretIndex {
  const forms = secretForms(secrets);
  return forms.size > 0 ? automatonOf(forms) : null;
}

/** A secret in what was written, from one place in all of it to another. */
interface Span {
  from: number;
  to: number;
}

/**
 * Masks secrets in a text that comes in pieces, wherever the pieces are cut. Time grows with the
 * text alone; no more of it is held than the longest form of a secret.
 */
export function redactor(index: SecretIndex): Redactor {
  const held = textQueue();
  /** Found, and not passed on as a whole; in order, and apart from each other. */
  const spans: Span[] = [];
  let state = 0;
  /** How much was written, and how much of it was passed on. */
  let [written, passed] = [0, 0];

  function find(automaton: Automaton, text: string) {
    for (let at = 0; at < text.length; at++) {
      if (state === 0) at = mayBegin(automaton, text, at);
      state = stepFrom(automaton, state, text.charCodeAt(at));
      const matched = automaton.matches[state];
      if (matched > 0) cover(written + at + 1 - matched, written + at + 1);
      // Nothing need be waited for that cannot go on.
      while (firstChild(automaton, state) === 0) state = automaton.fallbacks[state];
    }
    written += text.length;
  }

  /** Secrets that overlap share one mask: what is left of one must not tell of the other. */
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

/** Text as it came in. What is taken from its front costs no more than its length. */
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
