import { findBundler } from './find-bundler.ts'
import type { BundledModule, ModuleToBundle } from './module-to-bundle.ts'

export type { BundledModule, ModuleToBundle } from './module-to-bundle.ts'

/*
 * Bundles one module into one file, with the bundler that the project has: for what is not part of the host's own build,
 * such as a service worker and a worker for an edge runtime.
 */

/**
 * Bundles a module into one file.
 *
 * @throws MockApiError when the project has no bundler (`bundler-missing`), when a module can't be bundled
 * (`bundle-failed`), and when one imports a part of Node (`fixture-needs-node`)
 */
export async function bundleModule(module: ModuleToBundle): Promise<BundledModule> {
  const bundler = module.bundler ?? (await findBundler(module.root))
  const { name, kind } = bundler
  if (kind === 'vite') {
    const { bundleWithVite } = await import('./with-vite.ts')
    return { code: await bundleWithVite(bundler.vite, name, module), bundler: name }
  }
  const { bundleWithWebpack } = await import('./with-webpack.ts')
  return { code: await bundleWithWebpack(bundler, module), bundler: name }
}
