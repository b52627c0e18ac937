import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { framesOfPage, walkFrame } from './frames-of-page.ts'
import { PROJECT } from './run-command.ts'

/** `npm run walk`: takes the frames of docs/playground.md again, from the built command. */
const path = join(PROJECT, 'docs', 'playground.md')

const { text, frames } = await framesOfPage(readFileSync(path, 'utf8'), walkFrame)

if (frames === 0) throw new Error('docs/playground.md has no frame: <!-- keys: … --> above a fence')

writeFileSync(path, text)

console.log(`docs/playground.md: ${frames} frames`)
