import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { onceGone } from "@/lib/client/page/lifetime.ts";
import { LogOut } from "@/components/tasks/LogOut.tsx";
import { LogRows } from "@/components/tasks/LogRows.tsx";
import { IconButton } from "@/components/ui/Button.tsx";
import { LogChoice, LogTools } from "@/components/tasks/LogTools.tsx";
import { type LogStart, useLogData } from "@/lib/client/output/data.ts";
import { toggleFullScreen, useLogKeys, useWrap } from "@/lib/client/output/display.ts";
import { rangesOf } from "@/lib/client/output/folds.ts";
import { useLogOutline } from "@/lib/client/output/outline.ts";
import { useLogSearch } from "@/lib/client/output/search.ts";
import type { TaskLogTexts } from "@/components/tasks/log_texts.ts";
import { useLogView } from "@/lib/client/output/viewport.ts";
import type { Language } from "@/lib/i18n/catalogs.ts";
import { createUi } from "@/lib/i18n/ui.ts";

interface TaskLogProps {
  /** Address of the task in the API. */
  api: string;
  taskId: number;
  start: LogStart;
  /** The line that the address names; null for the end. */
  line: number | null;
  /** Address of a line, without the number at its end. */
  lineUrl: string;
  language: Language;
  timeZone: string;
  texts: TaskLogTexts;
}

/** Number of lines loaded beyond the rendered rows, because the reader may scroll there soon. */
const AHEAD = 150;

/**
 * A task's output, live. It loads and renders only the part around the current position, so that a
 * million lines cost no more than a hundred. It stops when the page removes it.
 */
export default function TaskLog(props: TaskLogProps) {
  const root = useRef<HTMLDivElement>(null);
  const [isThere, setThere] = useState(true);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    setReady(true);
    return onceGone(root.current!, () => setThere(false));
  }, []);
  return (
    <div class="task-log" id="task-log" ref={root} data-island>
      {isThere && (
        <Log
          {...props}
          isReady={isReady}
          toggleFullScreen={() => toggleFullScreen(root)}
        />
      )}
    </div>
  );
}

interface LogProps extends TaskLogProps {
  isReady: boolean;
  toggleFullScreen(): void;
}

function Log({ start, line: named, ...props }: LogProps) {
  const { api, taskId, lineUrl, language, timeZone, texts, isReady } = props;
  const first = start.records[0]?.id ?? 1;
  const data = useLogData(api, start);
  const { total } = data;
  const last = first + start.records.length - 1;
  const outline = useLogOutline(api, total);
  const { folds, firstFailure } = outline;
  const view = useLogView(folds, { line: named, first, last });
  const search = useLogSearch(`${api}/search`, total, goTo);
  const [target, setTarget] = useState(named);
  const [wraps, setWraps] = useWrap();
  const { clock } = useMemo(
    () => createUi({ language, theme: "system", basePath: "", timeZone, t: (key) => key }),
    [language, timeZone],
  );
  useWanted(data, view, outline);

  function goTo(line: number) {
    setTarget(line);
    outline.reveal(line);
    view.goTo(line);
  }

  const goToFailure = () => firstFailure !== null && goTo(firstFailure);

  useLogKeys({
    next: search.next,
    previous: search.previous,
    failure: goToFailure,
    full_screen: props.toggleFullScreen,
  });

  /** Makes the address of a line that of the page, so that it can be saved or shared. */
  function nameLine(event: MouseEvent, line: number) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.replaceState(history.state, "", `${lineUrl}${line}`);
    setTarget(line);
    view.setFollow(false);
  }

  return (
    <>
      <LogTools {...{ texts, language, search, total, isReady }} isConnected={data.isConnected}>
        <LogChoice label={texts.follow} checked={view.follow} onChange={view.setFollow} />
        <LogChoice label={texts.wrap} checked={wraps} onChange={setWraps} />
        {outline.hasSections && (
          <LogChoice label={texts.fold} checked={outline.isFolded} onChange={outline.fold} />
        )}
        {firstFailure !== null && (
          <IconButton
            type="button"
            icon="error"
            label={texts.first_failure}
            onClick={goToFailure}
          />
        )}
        <LogOut {...{ api, taskId, texts }} toggleFullScreen={props.toggleFullScreen} />
      </LogTools>
      <LogRows
        {...{ data, view, outline, texts, language, clock, lineUrl, wraps }}
        current={target}
        hits={search.hits}
        fromEnd={named === null}
        onName={nameLine}
      />
    </>
  );
}

/** Requests the lines of the rendered rows and some around them. */
function useWanted(
  { want }: ReturnType<typeof useLogData>,
  { rows: { first, last } }: ReturnType<typeof useLogView>,
  { folds, at }: ReturnType<typeof useLogOutline>,
): void {
  useEffect(() => {
    const from = Math.max(1, first - AHEAD);
    const to = Math.min(folds.rows, last + AHEAD);
    const lines = Array.from(
      { length: Math.max(0, to - from + 1) },
      (_, n) => folds.lineOf(from + n),
    );
    want(rangesOf(lines.filter((line) => !at(line)?.isClosed)));
  }, [first, last, folds]);
}
