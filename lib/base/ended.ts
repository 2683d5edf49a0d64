/** The process was told to end before it had begun to serve. That is no failure. */
export class Ended extends Error {
  override name = "Ended";
}
