export default () => <p>new post</p>;
