/** The process was asked to stop before it had begun to serve. This is not a failure. */
export class Ended extends Error {
  override name = "Ended";
}
