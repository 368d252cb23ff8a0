/* What pages of the application and the inspector say to each other, over a channel of the browser. */

export const channelName = 'mock-api-elsewhere'

/** Message to the inspector: how often the page has asked each other origin since it was loaded. */
export interface AskedElsewhere {
  page: number
  asked: readonly (readonly [origin: string, count: number])[]
}

/** Message to the pages: send `AskedElsewhere`, or load again if you have asked the origin. */
export type ToPages = { tell: true } | { reload: string }
