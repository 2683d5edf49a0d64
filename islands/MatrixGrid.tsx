import { useEffect, useMemo, useRef } from "react";
import { MatrixTable } from "@/components/results/MatrixTable.tsx";
import type { MatrixData, MatrixTexts } from "@/lib/client/matrix/data.ts";
import { createMatrixKeys } from "@/lib/client/matrix/keys.ts";
import { createMatrix } from "@/lib/client/matrix/matrix.ts";
import { islandKey } from "@/lib/client/page/island_key.ts";
import { onceGone, SHOWN } from "@/lib/client/page/lifetime.ts";

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
  const frame = useRef<HTMLDivElement>(null);
  const matrix = useMemo(() => createMatrix(start), []);
  const keys = useMemo(() => createMatrixKeys(matrix, frame), []);
  const look = () => matrix.look(frame.current!);

  useEffect(() => {
    const element = frame.current!;
    const read = () =>
      matrix.read(document.getElementById("matrix-data")?.dataset.matrix ?? "", element);
    read();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    document.addEventListener(SHOWN, read);
    const end = () => {
      observer.disconnect();
      document.removeEventListener(SHOWN, read);
    };
    const forget = onceGone(element, end);
    return () => {
      forget();
      end();
    };
  }, []);

  return (
    <div
      id="matrix"
      class={`matrix-frame ${matrix.isGrid.value ? "matrix-grid" : ""}`}
      ref={frame}
      data-island={islandKey([start.host, texts])}
      onScroll={look}
      {...keys.handlers}
    >
      <MatrixTable matrix={matrix} texts={texts} onDrawn={keys.settle} />
    </div>
  );
}
