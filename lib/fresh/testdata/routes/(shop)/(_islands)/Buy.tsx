export function Buy({ sku }: { sku: string }) {
  return <button type="button">Buy {sku}</button>;
}
