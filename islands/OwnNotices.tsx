import { useEffect, useState } from "react";
import { islandKey } from "@/lib/client/page/island_key.ts";
import { chooseNotices, chosenNotices, hasNotifications } from "@/lib/client/page/notices.ts";

interface OwnNoticesProps {
  events: { value: string; label: string }[];
  texts: {
    title: string;
    hint: string;
    /** Message if the browser cannot show notifications of this page. */
    unsupported: string;
    /** Message if the person has blocked them. */
    denied: string;
  };
}

/** Chooses the notifications of this browser. Without a script there are none. */
export default function OwnNotices({ events, texts }: OwnNoticesProps) {
  const [chosen, setChosen] = useState<string[] | null>(null);
  const [problem, setProblem] = useState("");

  useEffect(() => {
    setChosen(chosenNotices());
    if (!hasNotifications()) setProblem(texts.unsupported);
    else if (Notification.permission === "denied") setProblem(texts.denied);
  }, []);

  async function choose(value: string, isOn: boolean) {
    if (isOn && await Notification.requestPermission() !== "granted") {
      setProblem(texts.denied);
      return setChosen([...chosen!]);
    }
    const next = events.map((event) => event.value)
      .filter((event) => event === value ? isOn : chosen!.includes(event));
    setProblem("");
    setChosen(chooseNotices(next) ? next : []);
  }

  const key = islandKey([events, texts]);
  if (chosen === null) return <div id="own-notices" data-island={key} />;
  return (
    <div id="own-notices" class="card" data-island={key}>
      <fieldset class="field" disabled={!hasNotifications()}>
        <legend>{texts.title}</legend>
        {events.map(({ value, label }, n) => (
          <label key={n} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={({ currentTarget }) => {
                choose(value, currentTarget.checked).catch(reportError);
              }}
            />
            <span>{label}</span>
          </label>
        ))}
        <p class="field-hint">{texts.hint}</p>
        {problem && <p class="field-error" role="alert">{problem}</p>}
      </fieldset>
    </div>
  );
}
