export default () => <button type="button">Buy</button>;
