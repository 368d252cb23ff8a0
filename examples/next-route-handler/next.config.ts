import type { NextConfig } from 'next'

const config: NextConfig = {
  // Hosts that deploy only the files which a build has traced get the fixture files too.
  outputFileTracingIncludes: { '/api/**': ['./fixtures/**/*'] },
}

export default config
