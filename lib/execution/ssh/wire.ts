/** Reads the parts of SSH's binary format (RFC 4251, section 5), starting at `at`. */
interface WireReader {
  number(): number;
  long(): bigint;
  string(): Uint8Array;
  text(): string;
  /** Number of bytes that have been read. */
  position(): number;
}

/** Each of its functions throws RangeError if the bytes end too early. */
export function wireReader(bytes: Uint8Array, at = 0): WireReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const skip = (length: number) => {
    at += length;
    if (at > bytes.length) throw new RangeError("The bytes end too early");
    return at - length;
  };
  const number = () => view.getUint32(skip(4));
  const string = () => {
    const length = number();
    return bytes.subarray(skip(length), at);
  };
  return {
    number,
    long: () => view.getBigUint64(skip(8)),
    string,
    text: () => new TextDecoder().decode(string()),
    position: () => at,
  };
}
