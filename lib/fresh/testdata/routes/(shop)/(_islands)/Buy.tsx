export const Buy = () => <button type="button">Buy</button>;
