export const NotARoute = () => <p>not a route</p>;
