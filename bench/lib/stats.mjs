/** @param {number[]} values @param {number} share 0 to 1 */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  const index = (sorted.length - 1) * share
  const low = sorted[Math.floor(index)]
  return low + (sorted[Math.ceil(index)] - low) * (index % 1)
}

/** @param {number[]} values */
export const median = (values) => quantile(values, 0.5)

/** The median and the two quartiles, `0.97 (0.95–0.99)`. @param {number[]} values @param {number} digits */
export function spread(values, digits) {
  const text = (share) => quantile(values, share).toFixed(digits)
  return `${text(0.5)} (${text(0.25)}–${text(0.75)})`
}

/** `12 345`. @param {number} value */
export function thousands(value) {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ')
}
