/*
 * An option that is on or off, perhaps from an environment variable.
 */

const onTexts = ['true', '1', 'on', 'yes']
const offTexts = ['false', '0', 'off', 'no', '']

/** Whether a string means on or off. */
export function isSwitch(text: string): boolean {
  return [...onTexts, ...offTexts].includes(text.trim().toLowerCase())
}

export function isOn(value: boolean | string): boolean {
  return typeof value === 'boolean' ? value : onTexts.includes(value.trim().toLowerCase())
}
