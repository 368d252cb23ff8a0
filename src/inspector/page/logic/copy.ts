/** Copies a text; `false` where the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Without https, only pages of this machine have a clipboard.
    return copySelection(text)
  }
}

function copySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.className = 'visually-hidden'
  // Inside a modal dialog, nothing outside of it can be focused.
  const parent = document.querySelector('dialog[open]') ?? document.body
  const focused = document.activeElement
  parent.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return isCopied
}
