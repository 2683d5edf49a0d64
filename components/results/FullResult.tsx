import { ResultChip } from "./ResultChip.tsx";
import { CopyButton } from "@/components/ui/CopyButton.tsx";
import type { Ui } from "@/lib/i18n/ui.ts";
import { visible } from "@/lib/i18n/visible.ts";
import { type ResultParts, resultParts, shortenedTexts } from "@/lib/results/full_result.ts";
import type { FullHostResult } from "@/lib/results/schema.ts";

interface FullResultProps {
  ui: Ui;
  result: FullHostResult;
}

/** The full answer of a module, in parts and as JSON. */
export function FullResult({ ui, result: { result, shortened } }: FullResultProps) {
  if (!result) return null;
  const parts = resultParts(result);
  const lengths = shortenedTexts({ result, shortened });
  const otherCuts = shortened.length - lengths.size;
  return (
    <div class="full-result">
      <Parts ui={ui} parts={parts} id="result" lengths={lengths} />
      {parts.items.length > 0 && <Items ui={ui} items={parts.items} />}
      {otherCuts > 0 && <p class="text-muted">{ui.t("full_result.cut", { count: otherCuts })}</p>}
      <Json ui={ui} text={JSON.stringify(result, null, 2)} />
    </div>
  );
}

interface PartsProps {
  ui: Ui;
  parts: ResultParts;
  /** Prefix for the ids of its elements. */
  id: string;
  /** Original lengths of texts that were cut, in characters, by name. */
  lengths?: Map<string, number>;
}

const Parts = ({ ui, parts, id, lengths }: PartsProps) => (
  <>
    {parts.returnCode !== null && (
      <p class="full-result-code">
        {ui.labelled(ui.t("full_result.rc"), parts.returnCode)}
      </p>
    )}
    {parts.texts.map(({ name, text }, n) => (
      <Text
        key={n}
        ui={ui}
        id={`${id}-${name}`}
        name={ui.t(`full_result.texts.${name}`)}
        text={text}
        length={lengths?.get(name)}
      />
    ))}
    <Members name={ui.t("full_result.arguments")} members={parts.moduleArguments} />
    <Members name={ui.t("full_result.others")} members={parts.others} />
  </>
);

interface TextProps {
  ui: Ui;
  id: string;
  name: string;
  text: string;
  /** Original length in characters if it was cut, otherwise undefined. */
  length: number | undefined;
}

const Text = ({ ui, id, name, text, length }: TextProps) => (
  <div class="full-result-part">
    <div class="full-result-head">
      <strong>{name}</strong>
      <Copy ui={ui} id={id} name={name} />
    </div>
    <Shown id={id} name={name} text={text} />
    {length !== undefined && (
      <p class="text-muted">{ui.t("full_result.shortened", { count: length })}</p>
    )}
  </div>
);

const Copy = ({ ui, id, name }: Pick<TextProps, "ui" | "id" | "name">) => (
  <CopyButton
    what={{ of: id }}
    label={ui.t("full_result.copy", { name })}
    copied={ui.t("full_result.copied")}
  />
);

const Shown = ({ id, name, text }: Pick<TextProps, "id" | "name" | "text">) => (
  <pre id={id} class="result-text" tabIndex={0} role="group" aria-label={name}>
    {visible(text)}
  </pre>
);

const Members = ({ name, members }: { name: string; members: ResultParts["others"] }) =>
  members.length === 0 ? null : (
    <details class="reveal full-result-part">
      <summary>{name}</summary>
      <dl class="full-result-members">
        {members.map(({ name, text }, n) => (
          <div key={n}>
            <dt>
              <code>{visible(name)}</code>
            </dt>
            <dd>{visible(text)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );

/** Each item of a loop. An item without details is one line. */
const Items = ({ ui, items }: { ui: Ui; items: ResultParts["items"] }) => (
  <ul class="result-items">
    {items.map(({ status, label, parts }, n) => (
      <li key={n}>
        <details class="reveal full-result-item">
          <summary>
            <ResultChip ui={ui} status={status} /> <code>{visible(label)}</code>
          </summary>
          <Parts ui={ui} parts={parts} id={`result-item-${n}`} />
        </details>
      </li>
    ))}
  </ul>
);

const Json = ({ ui, text }: { ui: Ui; text: string }) => {
  const name = ui.t("full_result.json");
  return (
    <details class="reveal full-result-part full-result-json">
      <summary>{name}</summary>
      <Copy ui={ui} id="result-json" name={name} />
      <Shown id="result-json" name={name} text={text} />
    </details>
  );
};
