/**
 * Reads all bytes of a stream; `undefined` when they are more than a limit.
 *
 * @param giveUp what to do with the rest then: `cancel` leaves it unread, `drain` reads and discards it
 * @throws the error of the stream
 */
export async function readStream(
  stream: ReadableStream<Uint8Array>,
  limit: number,
  giveUp: 'cancel' | 'drain',
): Promise<Uint8Array | undefined> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return size > limit ? undefined : concat(chunks, size)
    size += value.length
    if (size <= limit) chunks.push(value)
    else if (giveUp === 'drain') chunks.length = 0
    else {
      void reader.cancel().catch(() => {})
      return undefined
    }
  }
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}
