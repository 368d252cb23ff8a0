import { createRequire } from 'node:module'

type Generate = (attributes: object[], options: object) => Promise<{ private: string; cert: string }>
let certificate: Promise<{ key: string; cert: string }> | undefined

/** A self-signed certificate, made as webpack-dev-server makes one. */
export function ownCertificate() {
  const { generate } = createRequire(import.meta.resolve('webpack-dev-server'))('selfsigned') as {
    generate: Generate
  }
  certificate ??= generate([{ name: 'commonName', value: 'localhost' }], { keyType: 'ec' }).then((made) => ({
    key: made.private,
    cert: made.cert,
  }))
  return certificate
}
