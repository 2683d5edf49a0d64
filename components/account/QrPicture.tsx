import encodeQR from "qr";

/** Light modules around the code, which scanners need. */
const BORDER = 4;

/** A text as a QR code, drawn on the server; dark on light in any theme. */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, "raw", { border: BORDER });
  const path = rows.flatMap((row, y) => row.map((dark, x) => dark ? `M${x} ${y}h1v1h-1z` : ""));
  return (
    <svg
      class="qr-picture"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
    >
      <rect width={rows.length} height={rows.length} fill="#fff" />
      <path d={path.join("")} fill="#000" />
    </svg>
  );
}
