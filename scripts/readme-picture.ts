import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './run-command.ts'
import { takePicture } from './frames-of-page.ts'

/** `npm run picture`: takes docs/playground.svg, the picture of the README, from the built command. */
const picture = takePicture()
writeFileSync(join(PROJECT, 'docs', 'playground.svg'), picture)
console.log(`docs/playground.svg: ${picture.length} characters`)
