// Bytes: as base64, as they come in a stream, and as a file that the browser keeps.

/** @param {string} text in base64 */
export const bytesOf = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/** @param {Uint8Array} bytes */
export const base64Of = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** The parts of a stream: not every browser has `for await` over the stream itself. @param {ReadableStream} stream */
export async function* partsOf(stream) {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Gives the browser a file to keep. @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const address = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
