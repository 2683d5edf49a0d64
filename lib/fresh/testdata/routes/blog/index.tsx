export default () => <p>blog</p>;
