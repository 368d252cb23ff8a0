/** Reads on until the text that has arrived contains another one, and returns all that has arrived. */
export function readUntil(response: Response): (text: string) => Promise<string> {
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let all = ''
  return async (text) => {
    while (!all.includes(text)) {
      const { done, value } = await reader.read()
      if (done)
        throw new Error(`The stream has ended without ${JSON.stringify(text)}: ${JSON.stringify(all)}`)
      all += decoder.decode(value, { stream: true })
    }
    return all
  }
}
