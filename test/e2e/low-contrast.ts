import type { Page } from 'playwright-core'

/** Every text of the page whose contrast is below WCAG 2 AA. */
export function lowContrastTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    if (!pixel) throw new Error('no canvas')

    // Only the browser can read every colour notation, so let it paint the colour.
    const channels = (color: string) => {
      pixel.clearRect(0, 0, 1, 1)
      pixel.fillStyle = color
      pixel.fillRect(0, 0, 1, 1)
      return [...pixel.getImageData(0, 0, 1, 1).data] as [number, number, number, number]
    }
    const luminance = (color: string) => {
      const [red, green, blue] = channels(color).map((channel) => {
        const share = channel / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      }) as [number, number, number]
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const backgroundOf = (element: Element | null): string => {
      if (!element) return 'white'
      const { backgroundColor } = getComputedStyle(element)
      return channels(backgroundColor)[3] === 255 ? backgroundColor : backgroundOf(element.parentElement)
    }

    const low: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const text = texts.currentNode.textContent?.trim()
      const element = texts.currentNode.parentElement
      if (!text || !element?.checkVisibility()) continue
      const { color, fontSize, fontWeight } = getComputedStyle(element)
      const [dark, light] = [luminance(color), luminance(backgroundOf(element))].sort((a, b) => a - b) as [
        number,
        number,
      ]
      const ratio = (light + 0.05) / (dark + 0.05)
      const large = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && Number(fontWeight) >= 700)
      if (ratio < (large ? 3 : 4.5)) low.push(`${text}: ${ratio.toFixed(2)}`)
    }
    return low
  })
}
