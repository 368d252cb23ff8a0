import { otherOrigins } from '../origins/origins.ts'
import { withinClient } from '../outgoing/within-client.ts'
import { badge } from './badge.ts'
import type { CreateFeature } from './feature.ts'
import { inspector } from './inspector.ts'
import { journal } from '../journal/journal.ts'
import { pageScenario } from './page-scenario.ts'
import { recordBackend } from './record-backend.ts'
import { sadPaths } from './sad-paths.ts'
import { unanswered } from './unanswered.ts'
import { upgradesOf, type UpgradeHandler } from '../upgrades/upgrade-handler.ts'

export function nodeFeatures(upgrades: UpgradeHandler): readonly CreateFeature[] {
  return [
    otherOrigins, // before the inspector: both are below /__mock-api
    inspector,
    upgradesOf(upgrades),
    pageScenario,
    sadPaths,
    // What passes on is noted first, recorded last but one, and leaves in the name of its client.
    journal,
    badge,
    unanswered,
    recordBackend,
    withinClient,
  ]
}
