/*
 * Property tests try other samples in each run, so that more is tried over time. Where `PROPERTY_SEED` is set they try the
 * same: `.ci/run` must not fail for a change that is not to blame.
 */
const { PROPERTY_SEED } = process.env

if (PROPERTY_SEED) {
  const { configureGlobal, readConfigureGlobal } = await import('fast-check')
  configureGlobal({ ...readConfigureGlobal(), seed: Number(PROPERTY_SEED) })
}
export {}
