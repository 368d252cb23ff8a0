/* What pages of the application and the inspector say to each other, over a channel of the browser. */

export const channelName = 'mock-api-elsewhere'

/** To the inspector: how often the page has asked each other origin since it was loaded. */
export interface AskedElsewhere {
  page: number
  asked: readonly (readonly [origin: string, count: number])[]
}

/** To the pages: to tell that, or those that have asked the origin to load again. */
export type ToPages = { tell: true } | { reload: string }
