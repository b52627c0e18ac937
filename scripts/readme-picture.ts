import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './run-command.ts'
import { takePicture } from './frames-of-page.ts'
import { takeMovingPicture } from './moving-picture.ts'

/** `npm run picture`: takes the pictures of the documents from the built command. The moving one needs Python. */
const pictures = {
  'playground.svg': takePicture(),
  'conversation.svg': await takeMovingPicture(),
}
for (const [name, picture] of Object.entries(pictures)) {
  writeFileSync(join(PROJECT, 'docs', name), picture)
  console.log(`docs/${name}: ${picture.length} characters`)
}
