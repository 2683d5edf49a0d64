export default function Fails() {
  throw new Error("boom");
}
