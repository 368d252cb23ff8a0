import type { ContractRequest } from './contract.ts'

/* What Chromium adds to a request, by the kind of the request. */

const chromium = {
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-US,en;q=0.9',
  'sec-ch-ua': '"Chromium";v="148", "Not.A/Brand";v="24"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36',
}

/** A browser asks for a page (an address that is typed), or a script asks with `fetch` or `XMLHttpRequest`. */
export type Initiator = 'navigation' | 'fetch' | 'no-cors' | 'xhr'

/**
 * The headers that a browser sends on its own. Where the request names its `host` or `origin`, they are what such a page would
 * send: pages can't set `Sec-Fetch-Site`.
 */
export function browserHeaders(
  { method = 'GET', headers = {} }: Pick<ContractRequest, 'method' | 'headers'>,
  origin: string,
  initiator: Initiator = 'fetch',
): Record<string, string> {
  const serverOrigin = headers['host'] === undefined ? origin : `http://${headers['host']}`
  const pageOrigin = headers['origin'] ?? serverOrigin
  if (initiator === 'navigation') {
    return {
      ...chromium,
      accept:
        'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
      'cache-control': 'max-age=0',
      'sec-fetch-dest': 'document',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-site': 'none',
      'sec-fetch-user': '?1',
      'upgrade-insecure-requests': '1',
    }
  }
  const isSameOrigin = pageOrigin === serverOrigin
  const isSimple = method === 'GET' || method === 'HEAD'
  const namesOrigin = initiator === 'no-cors' ? !isSimple : !isSimple || !isSameOrigin
  return {
    ...chromium,
    accept: initiator === 'xhr' ? 'application/json, text/plain, */*' : '*/*', // as axios asks
    ...(namesOrigin && { origin: pageOrigin }),
    referer: `${pageOrigin}/`,
    'sec-fetch-dest': 'empty',
    'sec-fetch-mode': initiator === 'no-cors' ? 'no-cors' : 'cors',
    'sec-fetch-site': isSameOrigin ? 'same-origin' : siteOf(pageOrigin, serverOrigin),
  }
}

/** Ports are no part of a site. (Nor are subdomains, of which the tests have none.) */
function siteOf(page: string, server: string): 'same-site' | 'cross-site' {
  const isSame = URL.canParse(page) && new URL(page).hostname === new URL(server).hostname
  return isSame ? 'same-site' : 'cross-site'
}

/** The question that a browser asks before a request that a plain form could not make. */
export function preflight(url: string, pageOrigin: string, method = 'POST'): ContractRequest {
  return {
    method: 'OPTIONS',
    url,
    headers: {
      origin: pageOrigin,
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type',
    },
  }
}
