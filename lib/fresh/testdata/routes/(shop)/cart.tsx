import { Buy } from "./(_islands)/Buy.tsx";

export default () => <Buy sku="a-1" />;
