import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { LogRows } from "@/components/tasks/log/LogRows.tsx";
import { LogTools } from "@/components/tasks/log/LogTools.tsx";
import type { TaskLogTexts } from "@/components/tasks/log/log_texts.ts";
import { followLineLinks, followLogKeys, toggleFullScreen } from "@/lib/client/output/display.ts";
import { createLog, type LogProps } from "@/lib/client/output/log.ts";
import { islandKey } from "@/lib/client/page/island_key.ts";
import { onceGone } from "@/lib/client/page/lifetime.ts";
import type { Language } from "@/lib/i18n/catalogs.ts";
import { createUi } from "@/lib/i18n/ui.ts";

interface TaskLogProps extends LogProps {
  taskId: number;
  language: Language;
  timeZone: string;
  texts: TaskLogTexts;
}

/**
 * A task's output, live. It loads and renders only the part around the current position, so that a
 * million lines cost no more than a hundred. It stops when the page removes it.
 */
export default function TaskLog(props: TaskLogProps) {
  const root = useRef<HTMLDivElement>(null);
  const [isThere, setThere] = useState(true);
  useEffect(() => onceGone(root.current!, () => setThere(false)), []);
  const { taskId, language } = props;
  return (
    <div class="task-log" id="task-log" ref={root} data-island={islandKey([taskId, language])}>
      {isThere && <LogParts {...props} root={root} />}
    </div>
  );
}

function LogParts(
  { api, start, line, failure, lineUrl, taskId, timeZone, ...props }: TaskLogProps & {
    root: RefObject<HTMLDivElement>;
  },
) {
  const { texts, language, root } = props;
  const showFull = () => toggleFullScreen(root.current!);
  const log = useMemo(() => createLog({ api, start, line, failure, lineUrl }), []);
  const { clock } = useMemo(
    () => createUi({ language, theme: "system", basePath: "", timeZone, t: (key) => key }),
    [],
  );
  // Layout effects, because the log is ready with its first rendering: a key that is pressed then
  // must not be lost. Stored options decide how high the rows are, before these are placed.
  useLayoutEffect(() => log.open(), []);
  useLayoutEffect(() =>
    followLogKeys({
      next: log.search.next,
      previous: log.search.previous,
      failure: log.goToFailure,
      full_screen: showFull,
    }), []);
  useLayoutEffect(() => followLineLinks(root.current!.parentElement!, log.goTo), []);
  return (
    <>
      <LogTools {...{ log, texts, language, api, taskId }} toggleFullScreen={showFull} />
      <LogRows {...{ log, texts, language, clock }} />
    </>
  );
}
