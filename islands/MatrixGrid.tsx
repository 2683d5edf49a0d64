import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { onceGone, SHOWN } from "@/lib/client/page/lifetime.ts";
import type { MatrixData, MatrixTexts } from "@/lib/client/matrix/data.ts";
import { cellMaker, rowMaker } from "@/components/results/MatrixRow.tsx";
import { MatrixTable } from "@/components/results/MatrixTable.tsx";
import { useMatrixKeys } from "@/lib/client/matrix/keys.ts";
import { useMatrixView } from "@/lib/client/matrix/viewport.ts";

interface MatrixGridProps {
  /** The part that a page without script shows. */
  start: MatrixData;
  texts: MatrixTexts;
}

/**
 * The matrix. Its data is in `#matrix-data` beside it, and is read again whenever that is merged.
 * Only the visible part is rendered. Without a script it is a plain table of links.
 */
export default function MatrixGrid({ start, texts }: MatrixGridProps) {
  const [data, setData] = useState(start);
  const [isGrid, setGrid] = useState(false);
  const { frame, table, window, look, showCell } = useMatrixView(data);
  const keys = useMatrixKeys(data, frame, showCell);
  const known = useRef("");

  useEffect(() => {
    const read = () => {
      const json = document.getElementById("matrix-data")?.dataset.matrix ?? "";
      if (json === "" || json === known.current) return;
      known.current = json;
      setData(JSON.parse(json));
    };
    read();
    setGrid(true);
    document.addEventListener(SHOWN, read);
    const end = () => document.removeEventListener(SHOWN, read);
    const forget = onceGone(frame.current!, end);
    return () => {
      forget();
      end();
    };
  }, []);

  const cell = useMemo(() => cellMaker({ data, texts, isGrid }), [data, isGrid]);
  const rowOf = useMemo(() => {
    cell.next();
    return rowMaker({ data, window, isGrid }, cell);
  }, [cell, ...window.columns]);
  return (
    <div
      id="matrix"
      class={`matrix-frame ${isGrid ? "matrix-grid" : ""}`}
      ref={frame}
      data-island
      onScroll={look}
      {...keys}
    >
      <MatrixTable {...{ data, window, texts, isGrid, rowOf, table }} />
    </div>
  );
}
