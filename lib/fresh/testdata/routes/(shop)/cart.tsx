import { Buy } from "./(_islands)/Buy.tsx";

export default () => <Buy />;
